#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CImages.h"
#include "Message.h"

// libvips is loaded on first use, in a separate process: linking it would add 46 ms to every start
// of the program. These are declarations of its public C interface (libvips 8, whose file name has
// contained the number 42, and which has been compatible, since 2015).

typedef struct vips_image vips_image;

static struct {
  int (*init)(const char *);
  void (*block_untrusted_set)(int);
  void (*cache_set_max)(int);
  vips_image *(*new_from_buffer)(const void *, size_t, const char *, ...);
  int (*thumbnail_buffer)(void *, size_t, vips_image **, int, ...);
  int (*write_to_buffer)(vips_image *, const char *, void **, size_t *, ...);
  int (*width)(const vips_image *);
  int (*height)(const vips_image *);
  unsigned long (*type_of)(const vips_image *, const char *);
  int (*as_string)(const vips_image *, const char *, char **);
  int (*blob)(const vips_image *, const char *, const void **, size_t *);
  int (*remove)(vips_image *, const char *);
  const char *(*error)(void);
  void (*clear_error)(void);
  void (*unref)(void *);
  void (*free)(void *);
} vips;

/// VIPS_SIZE_DOWN: never larger than the picture itself.
static const int size_down = 2;
/// Pictures with more pixels are refused; a decoder may need ten bytes for each.
static const double point_limit = 268435456;
static const unsigned seconds_of_processor = 30;

static int load(void) {
  static int state = 0;
  if (state != 0) return state > 0;
  state = -1;
  const char *names[] = {"libvips.so.42", "libvips.42.dylib", "/opt/homebrew/lib/libvips.42.dylib"};
  void *library = NULL;
  for (size_t i = 0; i < 3 && library == NULL; i++) library = dlopen(names[i], RTLD_NOW);
  if (library == NULL) return 0;
  // The path to its own libraries.
#define FIND(member, symbol) \
  if ((*(void **)&vips.member = dlsym(library, symbol)) == NULL) return 0
  FIND(init, "vips_init");
  FIND(cache_set_max, "vips_cache_set_max");
  FIND(new_from_buffer, "vips_image_new_from_buffer");
  FIND(thumbnail_buffer, "vips_thumbnail_buffer");
  FIND(write_to_buffer, "vips_image_write_to_buffer");
  FIND(width, "vips_image_get_width");
  FIND(height, "vips_image_get_height");
  FIND(type_of, "vips_image_get_typeof");
  FIND(as_string, "vips_image_get_as_string");
  FIND(blob, "vips_image_get_blob");
  FIND(remove, "vips_image_remove");
  FIND(error, "vips_error_buffer");
  FIND(clear_error, "vips_error_clear");
  FIND(unref, "g_object_unref");
  FIND(free, "g_free");
#undef FIND
  if (vips.init("arkived") != 0) return 0;
  vips.cache_set_max(0);
  // Since 8.13: blocks formats whose loaders aren't designed for hostile files.
  *(void **)&vips.block_untrusted_set = dlsym(library, "vips_block_untrusted_set");
  if (vips.block_untrusted_set != NULL) vips.block_untrusted_set(1);
  state = 1;
  return 1;
}

/// The result: a header, and content that is freed after it was sent.
struct result {
  struct answer head;
  uint8_t *bytes;
};

static void take_error(struct result *result) {
  const char *text = vips.error();
  // "out of memory" and "Insufficient memory" don't mean that a file with that many pixels is
  // invalid.
  if (result->head.width > 0 && strstr(text, "memory") != NULL) {
    result->head.status = CI_TOO_LARGE;
    vips.clear_error();
    return;
  }
  size_t length = strnlen(text, 500);
  result->head.status = CI_UNREADABLE;
  result->bytes = malloc(length + 1);
  if (result->bytes != NULL) {
    memcpy(result->bytes, text, length);
    result->head.count = length;
  }
  vips.clear_error();
}

/// Opens a picture by its header, and refuses one with too many pixels.
static vips_image *open_picture(const void *bytes, size_t count, struct result *result) {
  vips_image *image = vips.new_from_buffer(bytes, count, "", NULL);
  if (image == NULL) {
    take_error(result);
    return NULL;
  }
  int width = vips.width(image), height = vips.height(image);
  result->head.width = (uint32_t)width;
  result->head.height = (uint32_t)height;
  if ((double)width * height > point_limit) {
    result->head.status = CI_TOO_LARGE;
    vips.unref(image);
    return NULL;
  }
  return image;
}

static void make_thumbnail(
    void *bytes, size_t count, uint32_t box, struct result *result) {
  vips_image *image = open_picture(bytes, count, result);
  if (image == NULL) return;
  vips.unref(image);
  vips_image *small = NULL;
  if (vips.thumbnail_buffer(
          bytes, count, &small, (int)box, "height", (int)box, "size", size_down,
          "export_profile", "srgb", NULL) != 0) {
    take_error(result);
    return;
  }
  void *content = NULL;
  size_t length = 0;
  // Without metadata, so a thumbnail doesn't reveal where a photo was taken. Its colours are in the
  // browsers' default colour space, so no profile is needed.
  vips.remove(small, "icc-profile-data");
  int failure = vips.write_to_buffer(small, ".webp[Q=80,strip,effort=2]", &content, &length, NULL);
  if (failure != 0) {
    vips.unref(small);
    take_error(result);
    return;
  }
  result->head.width = (uint32_t)vips.width(small);
  result->head.height = (uint32_t)vips.height(small);
  vips.unref(small);
  result->bytes = malloc(length > 0 ? length : 1);
  if (result->bytes != NULL) {
    memcpy(result->bytes, content, length);
    result->head.count = length;
  }
  vips.free(content);
}

/// The fields with the time, place and device of a photo, as libvips names them.
static const char *const fields[] = {
    "exif-ifd0-Make", "exif-ifd0-Model", "exif-ifd0-DateTime", "exif-ifd0-ImageDescription",
    "exif-ifd2-DateTimeOriginal", "exif-ifd2-DateTimeDigitized", "exif-ifd2-OffsetTime",
    "exif-ifd2-OffsetTimeOriginal", "exif-ifd2-OffsetTimeDigitized",
    "exif-ifd2-SubSecTimeOriginal", "exif-ifd3-GPSLatitudeRef", "exif-ifd3-GPSLatitude",
    "exif-ifd3-GPSLongitudeRef", "exif-ifd3-GPSLongitude", "exif-ifd3-GPSDateStamp",
    "exif-ifd3-GPSTimeStamp"};

/// Lines with a field's name, a tab and its value; after an empty line, the XMP packet, if any.
static void read_metadata(const void *bytes, size_t count, struct result *result) {
  vips_image *image = open_picture(bytes, count, result);
  if (image == NULL) return;
  const void *packet = NULL;
  size_t packet_length = 0;
  if (vips.type_of(image, "xmp-data") != 0 &&
      vips.blob(image, "xmp-data", &packet, &packet_length) != 0) {
    packet_length = 0;
  }
  if (packet_length > 1 << 20) packet_length = 0;
  const size_t value_limit = 1000, number = sizeof fields / sizeof *fields;
  result->bytes = malloc(number * (value_limit + 64) + packet_length + 1);
  if (result->bytes == NULL) {
    result->head.status = CI_UNREADABLE;
    vips.unref(image);
    return;
  }
  char *next = (char *)result->bytes;
  for (size_t i = 0; i < number; i++) {
    char *value = NULL;
    if (vips.type_of(image, fields[i]) == 0) continue;
    if (vips.as_string(image, fields[i], &value) != 0 || value == NULL) continue;
    size_t length = strnlen(value, value_limit);
    for (size_t j = 0; j < length; j++) {
      if (value[j] == '\n' || value[j] == '\r') value[j] = ' ';
    }
    next += sprintf(next, "%s\t%.*s\n", fields[i], (int)length, value);
    vips.free(value);
  }
  *next++ = '\n';
  if (packet_length > 0) memcpy(next, packet, packet_length);
  result->head.count = (size_t)(next - (char *)result->bytes) + packet_length;
  vips.clear_error();
  vips.unref(image);
}

static int read_all(void *bytes, size_t count) {
  uint8_t *next = bytes;
  while (count > 0) {
    ssize_t length = read(0, next, count);
    if (length <= 0) return 0;
    next += length;
    count -= (size_t)length;
  }
  return 1;
}

static int write_all(const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  while (count > 0) {
    ssize_t length = write(1, next, count);
    if (length <= 0) return 0;
    next += length;
    count -= (size_t)length;
  }
  return 1;
}

static struct result respond(const struct question *question, void *bytes) {
  struct result result = {{0}, NULL};
  if (!load()) {
    result.head.status = CI_ABSENT;
  } else if (question->request == CI_THUMBNAIL && question->box > 0 && question->box <= 4096) {
    make_thumbnail(bytes, question->count, question->box, &result);
  } else if (question->request == CI_METADATA) {
    read_metadata(bytes, question->count, &result);
  } else {
    result.head.status = CI_UNREADABLE;
  }
  return result;
}

void ci_serve(void) {
  signal(SIGXFSZ, SIG_IGN);
  limit_reader();
  load();
  confine_reader();
  struct question question;
  while (read_all(&question, sizeof question)) {
    if (question.count > QUESTION_LIMIT) return;
    void *bytes = malloc(question.count > 0 ? question.count : 1);
    if (bytes == NULL || !read_all(bytes, question.count)) return;
    allow_seconds(seconds_of_processor);
    // Decoders leave messages even if a picture was read.
    if (vips.clear_error != NULL) vips.clear_error();
    struct result result = respond(&question, bytes);
    int is_sent = write_all(&result.head, sizeof result.head) &&
                  write_all(result.bytes, result.head.count);
    free(result.bytes);
    free(bytes);
    // Memory that a failed decoder held isn't always freed, and the next picture needs it.
    int is_read = result.head.status == CI_DONE || result.head.status == CI_ABSENT;
    if (!is_sent || !is_read) return;
  }
}
