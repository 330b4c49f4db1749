import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import Foundation

/// The form in which a model is chosen, for answers or for recordings.
struct ModelForm: Sendable {
  let purpose: ModelSettings.Purpose

  /// The form's element and address, and what its fields' names begin with.
  var id: String { purpose == .chat ? "model" : "voice" }

  private static let names = ["address", "model", "context", "keyFile"]

  /// The field of the form that holds a field of a choice.
  func name(_ field: String) -> String {
    field == "allowsRemote" ? "\(id)-remote" : "\(id)-\(field)"
  }

  func texts(_ kept: ModelSettings?) -> FormTexts {
    guard let kept else { return FormTexts() }
    return FormTexts([
      name("address"): kept.address.url, name("model"): kept.model,
      name("context"): "\(kept.context)", "\(id)-remote": kept.allowsRemote ? "true" : "",
    ])
  }

  func texts(_ fields: FormFields) -> FormTexts {
    FormTexts(fields, lines: Self.names.map(name) + ["\(id)-remote"])
  }

  /// - Throws: `FieldError` for `context`.
  func choice(_ texts: FormTexts) throws(FieldError) -> ModelChoice {
    var choice = ModelChoice()
    choice.address = texts[name("address")]
    choice.model = texts[name("model")]
    if purpose == .chat {
      do throws(FieldError) {
        choice.context = try texts.whole(name("context"))
      } catch {
        throw FieldError("context", error.problem)
      }
    }
    choice.keyFile = texts.optional(name("keyFile"))
    choice.allowsRemote = texts["\(id)-remote"] == "true"
    return choice
  }

  /// - Parameter hasHelper: whether recordings are written down on this computer.
  func context(_ texts: FormTexts, kept: ModelSettings?, hasHelper: Bool) -> [String: Any] {
    var context = texts.context(rows(kept))
    let remote = texts.problem(of: "\(id)-remote", label: said("Your leave"))
    context["choiceID"] = id
    context["choiceTitle"] = purpose == .chat ? said("Language model") : said("Recordings")
    context["choiceState"] = state(kept, hasHelper: hasHelper)
    context["isChosen"] = kept != nil
    context["isRemote"] = texts["\(id)-remote"] == "true"
    context["hasRemoteError"] = remote != nil
    context["remoteError"] = remote ?? ""
    context["remoteLabel"] =
      purpose == .chat
      ? said("What I ask, and the entries that an answer needs, may be sent to another computer")
      : said("My recordings may be sent to another computer")
    context["noneLabel"] = purpose == .chat ? said("Use no model") : said("Use no server")
    if let remote {
      context["errors"] = [["field": "\(id)-remote", "message": remote]]
    }
    return context
  }

  private func state(_ kept: ModelSettings?, hasHelper: Bool) -> String {
    guard let kept else {
      if purpose == .chat { return said("No model is set; answers are computed.") }
      return hasHelper
        ? said(
          """
          Recordings are written down on this computer, in English. A server that you name here \
          comes before that.
          """)
        : said(
          """
          Nothing writes recordings down. arkived assistant voice fetch installs what does so on \
          this computer; or name a server.
          """)
    }
    let place =
      kept.address.isLoopback
      ? said("on this computer") : said("on another computer")
    return "\(kept.model) \(place)" + (kept.key == nil ? "." : said(", with a key that is kept."))
  }

  private func rows(_ kept: ModelSettings?) -> [[FormField]] {
    let example =
      purpose == .chat
      ? said(
        "Such as http://127.0.0.1:11434/v1 for Ollama, or http://127.0.0.1:8080/v1 for llama.cpp")
      : said("Such as http://127.0.0.1:8000/v1")
    let model = FormField(
      name("model"), "Model", hint: "What the server calls it", isRequired: true)
    let context = FormField(
      name("context"), "Context", .number, hint: "How many tokens it can look at; 8192 where blank",
      isOptional: true)
    return [
      [FormField(name("address"), "Address", hint: example, isRequired: true)],
      purpose == .chat ? [model, context] : [model],
      [
        FormField(
          name("keyFile"), "File with a key",
          hint: kept?.key == nil
            ? "On this computer, readable by you alone; the key in it is copied."
            : "Leave blank to keep the key for this address.", isOptional: true)
      ],
    ]
  }
}
