// The device's location, for the row that adds an entry. It exists only if the owner switched it on, asks the
// browser only when its button is pressed, and shows the location before anything is saved.
"use strict";

{
  const parts = () => ({
    row: byId("here-row"), field: byId("here"), standing: byId("here-standing"),
    take: byId("here-take"), leave: byId("here-leave"),
  });

  function leaveOut(words = "") {
    const { row, field, standing, take, leave } = parts();
    if (!row) return;
    field.value = "";
    field.disabled = true;
    standing.textContent = words;
    take.hidden = false;
    leave.hidden = true;
  }

  function record(place) {
    const { row, field, standing, take, leave } = parts();
    if (!row) return;
    field.value = `${place.coords.latitude.toFixed(5)},${place.coords.longitude.toFixed(5)}`;
    field.disabled = false;
    standing.textContent = word("The next entry will include the coordinates {1}.", field.value);
    take.hidden = true;
    leave.hidden = false;
  }

  if ("geolocation" in navigator) {
    document.addEventListener("click", (event) => {
      if (event.target.closest("#here-leave")) return leaveOut(word("The next entry won’t include coordinates."));
      if (!event.target.closest("#here-take")) return;
      parts().standing.textContent = word("Getting your location");
      navigator.geolocation.getCurrentPosition(
        record,
        () => leaveOut(word("Your browser didn’t share your location.")),
        { timeout: 20000, maximumAge: 60000 },
      );
    });
    // Another day and its row come without loading the page.
    whenShown(() => {
      const { row, field } = parts();
      if (!row) return;
      row.hidden = false;
      // A location is used for one entry; the next one needs a new request.
      field.form.addEventListener("reset", () => leaveOut());
      byId("line").addEventListener("added", () => leaveOut());
    });
  }
}
