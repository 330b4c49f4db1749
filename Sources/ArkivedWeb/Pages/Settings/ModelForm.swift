import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import Foundation

/// The form for choosing a model, for answers or recordings.
struct ModelForm: Sendable {
  let purpose: ModelSettings.Purpose

  /// The ID of the form's element, also used in its address and as the prefix of its fields' names.
  var id: String { purpose == .chat ? "model" : "voice" }

  private static let names = ["address", "model", "context", "keyFile"]

  /// Returns the form's field for a field of a choice.
  func name(_ field: String) -> String {
    switch field {
    case "allowsRemote": "\(id)-remote"
    case "allowsUnencrypted": "\(id)-unencrypted"
    default: "\(id)-\(field)"
    }
  }

  func texts(_ kept: ModelSettings?) -> FormTexts {
    guard let kept else { return FormTexts() }
    return FormTexts([
      name("address"): kept.address.url, name("model"): kept.model,
      name("context"): "\(kept.context)", "\(id)-remote": kept.allowsRemote ? "true" : "",
      "\(id)-unencrypted": kept.address.isEncrypted || kept.address.isLoopback ? "" : "true",
    ])
  }

  func texts(_ fields: FormFields) -> FormTexts {
    FormTexts(fields, lines: Self.names.map(name) + ["\(id)-remote", "\(id)-unencrypted"])
  }

  /// Reads the choice.
  ///
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
    choice.allowsUnencrypted = texts["\(id)-unencrypted"] == "true"
    return choice
  }

  /// Returns the data for the template.
  ///
  /// - Parameters:
  ///   - texts: the typed values, which replace the stored ones.
  ///   - kept: the stored settings; nil if there are none.
  ///   - hasHelper: true if recordings are transcribed on this computer.
  /// - Returns: the data.
  func context(_ texts: FormTexts, kept: ModelSettings?, hasHelper: Bool) -> [String: Any] {
    var context = texts.context(rows(kept))
    let remote = texts.problem(of: "\(id)-remote", label: said("Your permission"))
    context["choiceID"] = id
    context["choiceTitle"] = purpose == .chat ? said("Language model") : said("Recordings")
    context["choiceState"] = state(kept, hasHelper: hasHelper)
    context["isChosen"] = kept != nil
    context["isRemote"] = texts["\(id)-remote"] == "true"
    context["hasRemoteError"] = remote != nil
    context["remoteError"] = remote ?? ""
    let open = texts.problem(of: "\(id)-unencrypted", label: said("Your permission"))
    context["isUnencrypted"] = texts["\(id)-unencrypted"] == "true"
    context["asksUnencrypted"] = open != nil || texts["\(id)-unencrypted"] == "true"
    context["hasUnencryptedError"] = open != nil
    context["unencryptedError"] = open ?? ""
    context["remoteLabel"] =
      purpose == .chat
      ? said("My questions, and the entries needed to answer them, may be sent to another computer")
      : said("Allow my recordings to be sent to another computer")
    context["noneLabel"] = purpose == .chat ? said("Don’t use a model") : said("Don’t use a server")
    if let remote {
      context["errors"] = [["field": "\(id)-remote", "message": remote]]
    } else if let open {
      context["errors"] = [["field": "\(id)-unencrypted", "message": open]]
    }
    return context
  }

  private func state(_ kept: ModelSettings?, hasHelper: Bool) -> String {
    guard let kept else {
      if purpose == .chat {
        return said(
          """
          No model is set up. Answers are computed from your entries.
          """)
      }
      return hasHelper
        ? said(
          """
          Recordings are transcribed on this computer, in English. A server you enter here takes \
          precedence.
          """)
        : said(
          """
          Recordings aren’t transcribed. To set this up on this computer, run arkived assistant \
          voice fetch. Or enter a server.
          """)
    }
    let place =
      kept.address.isLoopback
      ? said("on this computer") : said("on another computer")
    return "\(kept.model) \(place)" + (kept.key == nil ? "." : said(", with a saved key."))
  }

  private func rows(_ kept: ModelSettings?) -> [[FormField]] {
    let example =
      purpose == .chat
      ? said(
        "For example, http://127.0.0.1:11434/v1 for Ollama or http://127.0.0.1:8080/v1 for llama.cpp"
      )
      : said("For example, http://127.0.0.1:8000/v1")
    let model = FormField(
      name("model"), "Model", hint: "Its name on the server", isRequired: true)
    let context = FormField(
      name("context"), "Context", .number,
      hint: "How many tokens it can read at once; 8192 if left empty",
      isOptional: true)
    return [
      [FormField(name("address"), "Address", hint: example, isRequired: true)],
      purpose == .chat ? [model, context] : [model],
      [
        FormField(
          name("keyFile"), "Key file",
          hint: kept?.key == nil
            ? "On this computer, readable only by you. The key in it is copied."
            : "Leave empty to keep the key for this address.", isOptional: true)
      ],
    ]
  }
}
