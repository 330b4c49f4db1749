// Written by Scripts/embed_web_files.py.
#include "web_files.h"

// The compiler knows `#embed` in every C, and would say that it belongs to C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_app_css[] = {
#embed "../ArkivedWeb/Resources/app.css"
};
static const unsigned char file_app_js[] = {
#embed "../ArkivedWeb/Resources/app.js"
};
static const unsigned char file_calendar_css[] = {
#embed "../ArkivedWeb/Resources/calendar.css"
};
static const unsigned char file_calendar_js[] = {
#embed "../ArkivedWeb/Resources/calendar.js"
};
static const unsigned char file_changelog_md[] = {
#embed "../../CHANGELOG.md"
};
static const unsigned char file_codemirror________[] = {
#embed "../ArkivedWeb/Resources/codemirror.LICENSE"
};
static const unsigned char file_codemirror_js[] = {
#embed "../ArkivedWeb/Resources/codemirror.js"
};
static const unsigned char file_dates_js[] = {
#embed "../ArkivedWeb/Resources/dates.js"
};
static const unsigned char file_day_files_js[] = {
#embed "../ArkivedWeb/Resources/day-files.js"
};
static const unsigned char file_day_move_js[] = {
#embed "../ArkivedWeb/Resources/day-move.js"
};
static const unsigned char file_day_note_js[] = {
#embed "../ArkivedWeb/Resources/day-note.js"
};
static const unsigned char file_day_place_js[] = {
#embed "../ArkivedWeb/Resources/day-place.js"
};
static const unsigned char file_day_css[] = {
#embed "../ArkivedWeb/Resources/day.css"
};
static const unsigned char file_day_js[] = {
#embed "../ArkivedWeb/Resources/day.js"
};
static const unsigned char file_design_css[] = {
#embed "../ArkivedWeb/Resources/design.css"
};
static const unsigned char file_editor_complete_js[] = {
#embed "../ArkivedWeb/Resources/editor-complete.js"
};
static const unsigned char file_editor_marks_js[] = {
#embed "../ArkivedWeb/Resources/editor-marks.js"
};
static const unsigned char file_editor_css[] = {
#embed "../ArkivedWeb/Resources/editor.css"
};
static const unsigned char file_editor_js[] = {
#embed "../ArkivedWeb/Resources/editor.js"
};
static const unsigned char file_goals_css[] = {
#embed "../ArkivedWeb/Resources/goals.css"
};
static const unsigned char file_goals_js[] = {
#embed "../ArkivedWeb/Resources/goals.js"
};
static const unsigned char file_home_css[] = {
#embed "../ArkivedWeb/Resources/home.css"
};
static const unsigned char file_home_js[] = {
#embed "../ArkivedWeb/Resources/home.js"
};
static const unsigned char file_icon_180_png[] = {
#embed "../ArkivedWeb/Resources/icon-180.png"
};
static const unsigned char file_icon_192_png[] = {
#embed "../ArkivedWeb/Resources/icon-192.png"
};
static const unsigned char file_icon_512_png[] = {
#embed "../ArkivedWeb/Resources/icon-512.png"
};
static const unsigned char file_icon_svg[] = {
#embed "../ArkivedWeb/Resources/icon.svg"
};
static const unsigned char file_insights_css[] = {
#embed "../ArkivedWeb/Resources/insights.css"
};
static const unsigned char file_live_js[] = {
#embed "../ArkivedWeb/Resources/live.js"
};
static const unsigned char file_manifest_webmanifest[] = {
#embed "../ArkivedWeb/Resources/manifest.webmanifest"
};
static const unsigned char file_map_css[] = {
#embed "../ArkivedWeb/Resources/map.css"
};
static const unsigned char file_map_js[] = {
#embed "../ArkivedWeb/Resources/map.js"
};
static const unsigned char file_meetings_css[] = {
#embed "../ArkivedWeb/Resources/meetings.css"
};
static const unsigned char file_meetings_js[] = {
#embed "../ArkivedWeb/Resources/meetings.js"
};
static const unsigned char file_offline_html[] = {
#embed "../ArkivedWeb/Resources/offline.html"
};
static const unsigned char file_offline_js[] = {
#embed "../ArkivedWeb/Resources/offline.js"
};
static const unsigned char file_openapi_json[] = {
#embed "../ArkivedWeb/Resources/openapi.json"
};
static const unsigned char file_palette_js[] = {
#embed "../ArkivedWeb/Resources/palette.js"
};
static const unsigned char file_photos_css[] = {
#embed "../ArkivedWeb/Resources/photos.css"
};
static const unsigned char file_photos_js[] = {
#embed "../ArkivedWeb/Resources/photos.js"
};
static const unsigned char file_search_js[] = {
#embed "../ArkivedWeb/Resources/search.js"
};
static const unsigned char file_service_worker_js[] = {
#embed "../ArkivedWeb/Resources/service-worker.js"
};
static const unsigned char file_settings_css[] = {
#embed "../ArkivedWeb/Resources/settings.css"
};
static const unsigned char file_settings_js[] = {
#embed "../ArkivedWeb/Resources/settings.js"
};
static const unsigned char file_sprite_svg[] = {
#embed "../ArkivedWeb/Resources/sprite.svg"
};
static const unsigned char file_talk_js[] = {
#embed "../ArkivedWeb/Resources/talk.js"
};
static const unsigned char file_templates_action_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/action-edit.mustache"
};
static const unsigned char file_templates_action_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/action.mustache"
};
static const unsigned char file_templates_actions_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/actions.mustache"
};
static const unsigned char file_templates_activity_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/activity-edit.mustache"
};
static const unsigned char file_templates_align_choices_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/align-choices.mustache"
};
static const unsigned char file_templates_answer_rows_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/answer-rows.mustache"
};
static const unsigned char file_templates_ask_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/ask.mustache"
};
static const unsigned char file_templates_attach_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/attach.mustache"
};
static const unsigned char file_templates_backlinks_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/backlinks.mustache"
};
static const unsigned char file_templates_brief_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/brief.mustache"
};
static const unsigned char file_templates_calendar_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/calendar.mustache"
};
static const unsigned char file_templates_calendars_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/calendars.mustache"
};
static const unsigned char file_templates_capture_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/capture.mustache"
};
static const unsigned char file_templates_compared_fields_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/compared-fields.mustache"
};
static const unsigned char file_templates_counts_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/counts.mustache"
};
static const unsigned char file_templates_day_start_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/day-start.mustache"
};
static const unsigned char file_templates_day_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/day.mustache"
};
static const unsigned char file_templates_design_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/design.mustache"
};
static const unsigned char file_templates_foot_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/foot.mustache"
};
static const unsigned char file_templates_form_errors_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/form-errors.mustache"
};
static const unsigned char file_templates_form_fields_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/form-fields.mustache"
};
static const unsigned char file_templates_found_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/found.mustache"
};
static const unsigned char file_templates_free_note_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/free-note-edit.mustache"
};
static const unsigned char file_templates_free_note_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/free-note.mustache"
};
static const unsigned char file_templates_go_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/go.mustache"
};
static const unsigned char file_templates_goal_card_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/goal-card.mustache"
};
static const unsigned char file_templates_goal_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/goal-edit.mustache"
};
static const unsigned char file_templates_goal_tabs_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/goal-tabs.mustache"
};
static const unsigned char file_templates_goal_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/goal.mustache"
};
static const unsigned char file_templates_goals_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/goals.mustache"
};
static const unsigned char file_templates_head_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/head.mustache"
};
static const unsigned char file_templates_history_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/history.mustache"
};
static const unsigned char file_templates_home_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/home.mustache"
};
static const unsigned char file_templates_index_status_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/index-status.mustache"
};
static const unsigned char file_templates_insight_table_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/insight-table.mustache"
};
static const unsigned char file_templates_insight_tabs_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/insight-tabs.mustache"
};
static const unsigned char file_templates_insights_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/insights.mustache"
};
static const unsigned char file_templates_level_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/level.mustache"
};
static const unsigned char file_templates_life_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/life.mustache"
};
static const unsigned char file_templates_linked_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/linked.mustache"
};
static const unsigned char file_templates_login_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/login.mustache"
};
static const unsigned char file_templates_map_days_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/map-days.mustache"
};
static const unsigned char file_templates_map_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/map.mustache"
};
static const unsigned char file_templates_matches_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/matches.mustache"
};
static const unsigned char file_templates_meeting_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/meeting-edit.mustache"
};
static const unsigned char file_templates_meeting_tabs_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/meeting-tabs.mustache"
};
static const unsigned char file_templates_meeting_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/meeting.mustache"
};
static const unsigned char file_templates_meetings_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/meetings.mustache"
};
static const unsigned char file_templates_message_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/message.mustache"
};
static const unsigned char file_templates_more_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/more.mustache"
};
static const unsigned char file_templates_nav_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/nav.mustache"
};
static const unsigned char file_templates_note_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/note-edit.mustache"
};
static const unsigned char file_templates_notes_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/notes.mustache"
};
static const unsigned char file_templates_notice_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/notice.mustache"
};
static const unsigned char file_templates_own_files_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/own-files.mustache"
};
static const unsigned char file_templates_pair_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/pair.mustache"
};
static const unsigned char file_templates_pending_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/pending.mustache"
};
static const unsigned char file_templates_people_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/people.mustache"
};
static const unsigned char file_templates_person_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/person-edit.mustache"
};
static const unsigned char file_templates_person_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/person.mustache"
};
static const unsigned char file_templates_photo_tiles_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/photo-tiles.mustache"
};
static const unsigned char file_templates_photo_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/photo.mustache"
};
static const unsigned char file_templates_photos_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/photos.mustache"
};
static const unsigned char file_templates_poster_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/poster.mustache"
};
static const unsigned char file_templates_promise_row_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/promise-row.mustache"
};
static const unsigned char file_templates_promises_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/promises.mustache"
};
static const unsigned char file_templates_prose_facts_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/prose-facts.mustache"
};
static const unsigned char file_templates_reading_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/reading.mustache"
};
static const unsigned char file_templates_recap_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/recap.mustache"
};
static const unsigned char file_templates_search_help_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/search-help.mustache"
};
static const unsigned char file_templates_search_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/search.mustache"
};
static const unsigned char file_templates_settings_address_books_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-address-books.mustache"
};
static const unsigned char file_templates_settings_assistant_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-assistant.mustache"
};
static const unsigned char file_templates_settings_backup_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-backup.mustache"
};
static const unsigned char file_templates_settings_capture_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-capture.mustache"
};
static const unsigned char file_templates_settings_change_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-change.mustache"
};
static const unsigned char file_templates_settings_duplicates_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-duplicates.mustache"
};
static const unsigned char file_templates_settings_forget_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-forget.mustache"
};
static const unsigned char file_templates_settings_history_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-history.mustache"
};
static const unsigned char file_templates_settings_import_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-import.mustache"
};
static const unsigned char file_templates_settings_imports_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-imports.mustache"
};
static const unsigned char file_templates_settings_linked_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-linked.mustache"
};
static const unsigned char file_templates_settings_merge_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-merge.mustache"
};
static const unsigned char file_templates_settings_move_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-move.mustache"
};
static const unsigned char file_templates_settings_news_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-news.mustache"
};
static const unsigned char file_templates_settings_nudges_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-nudges.mustache"
};
static const unsigned char file_templates_settings_phone_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-phone.mustache"
};
static const unsigned char file_templates_settings_programs_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-programs.mustache"
};
static const unsigned char file_templates_settings_restart_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-restart.mustache"
};
static const unsigned char file_templates_settings_restore_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-restore.mustache"
};
static const unsigned char file_templates_settings_service_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-service.mustache"
};
static const unsigned char file_templates_settings_services_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-services.mustache"
};
static const unsigned char file_templates_settings_storage_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-storage.mustache"
};
static const unsigned char file_templates_settings_sync_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-sync.mustache"
};
static const unsigned char file_templates_settings_tabs_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-tabs.mustache"
};
static const unsigned char file_templates_settings_tag_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-tag.mustache"
};
static const unsigned char file_templates_settings_tags_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-tags.mustache"
};
static const unsigned char file_templates_settings_templates_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings-templates.mustache"
};
static const unsigned char file_templates_settings_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/settings.mustache"
};
static const unsigned char file_templates_sync_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/sync.mustache"
};
static const unsigned char file_templates_term_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/term-edit.mustache"
};
static const unsigned char file_templates_term_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/term.mustache"
};
static const unsigned char file_templates_terms_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/terms.mustache"
};
static const unsigned char file_templates_thread_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/thread.mustache"
};
static const unsigned char file_templates_threads_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/threads.mustache"
};
static const unsigned char file_templates_value_edit_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/value-edit.mustache"
};
static const unsigned char file_templates_value_rows_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/value-rows.mustache"
};
static const unsigned char file_templates_value_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/value.mustache"
};
static const unsigned char file_templates_values_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/values.mustache"
};
static const unsigned char file_templates_welcome_language_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/welcome-language.mustache"
};
static const unsigned char file_templates_welcome_sample_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/welcome-sample.mustache"
};
static const unsigned char file_templates_welcome_mustache[] = {
#embed "../ArkivedWeb/Resources/templates/welcome.mustache"
};
static const unsigned char file_tokens_css[] = {
#embed "../ArkivedWeb/Resources/tokens.css"
};
static const unsigned char file_visit_js[] = {
#embed "../ArkivedWeb/Resources/visit.js"
};
static const unsigned char file_world_map[] = {
#embed "../ArkivedWeb/Resources/world.map"
};

// In the order of their names, as strcmp has it.
static const struct web_file files[] = {
    {"app.css", file_app_css, sizeof file_app_css},
    {"app.js", file_app_js, sizeof file_app_js},
    {"calendar.css", file_calendar_css, sizeof file_calendar_css},
    {"calendar.js", file_calendar_js, sizeof file_calendar_js},
    {"changelog.md", file_changelog_md, sizeof file_changelog_md},
    {"codemirror.LICENSE", file_codemirror________, sizeof file_codemirror________},
    {"codemirror.js", file_codemirror_js, sizeof file_codemirror_js},
    {"dates.js", file_dates_js, sizeof file_dates_js},
    {"day-files.js", file_day_files_js, sizeof file_day_files_js},
    {"day-move.js", file_day_move_js, sizeof file_day_move_js},
    {"day-note.js", file_day_note_js, sizeof file_day_note_js},
    {"day-place.js", file_day_place_js, sizeof file_day_place_js},
    {"day.css", file_day_css, sizeof file_day_css},
    {"day.js", file_day_js, sizeof file_day_js},
    {"design.css", file_design_css, sizeof file_design_css},
    {"editor-complete.js", file_editor_complete_js, sizeof file_editor_complete_js},
    {"editor-marks.js", file_editor_marks_js, sizeof file_editor_marks_js},
    {"editor.css", file_editor_css, sizeof file_editor_css},
    {"editor.js", file_editor_js, sizeof file_editor_js},
    {"goals.css", file_goals_css, sizeof file_goals_css},
    {"goals.js", file_goals_js, sizeof file_goals_js},
    {"home.css", file_home_css, sizeof file_home_css},
    {"home.js", file_home_js, sizeof file_home_js},
    {"icon-180.png", file_icon_180_png, sizeof file_icon_180_png},
    {"icon-192.png", file_icon_192_png, sizeof file_icon_192_png},
    {"icon-512.png", file_icon_512_png, sizeof file_icon_512_png},
    {"icon.svg", file_icon_svg, sizeof file_icon_svg},
    {"insights.css", file_insights_css, sizeof file_insights_css},
    {"live.js", file_live_js, sizeof file_live_js},
    {"manifest.webmanifest", file_manifest_webmanifest, sizeof file_manifest_webmanifest},
    {"map.css", file_map_css, sizeof file_map_css},
    {"map.js", file_map_js, sizeof file_map_js},
    {"meetings.css", file_meetings_css, sizeof file_meetings_css},
    {"meetings.js", file_meetings_js, sizeof file_meetings_js},
    {"offline.html", file_offline_html, sizeof file_offline_html},
    {"offline.js", file_offline_js, sizeof file_offline_js},
    {"openapi.json", file_openapi_json, sizeof file_openapi_json},
    {"palette.js", file_palette_js, sizeof file_palette_js},
    {"photos.css", file_photos_css, sizeof file_photos_css},
    {"photos.js", file_photos_js, sizeof file_photos_js},
    {"search.js", file_search_js, sizeof file_search_js},
    {"service-worker.js", file_service_worker_js, sizeof file_service_worker_js},
    {"settings.css", file_settings_css, sizeof file_settings_css},
    {"settings.js", file_settings_js, sizeof file_settings_js},
    {"sprite.svg", file_sprite_svg, sizeof file_sprite_svg},
    {"talk.js", file_talk_js, sizeof file_talk_js},
    {"templates/action-edit.mustache", file_templates_action_edit_mustache, sizeof file_templates_action_edit_mustache},
    {"templates/action.mustache", file_templates_action_mustache, sizeof file_templates_action_mustache},
    {"templates/actions.mustache", file_templates_actions_mustache, sizeof file_templates_actions_mustache},
    {"templates/activity-edit.mustache", file_templates_activity_edit_mustache, sizeof file_templates_activity_edit_mustache},
    {"templates/align-choices.mustache", file_templates_align_choices_mustache, sizeof file_templates_align_choices_mustache},
    {"templates/answer-rows.mustache", file_templates_answer_rows_mustache, sizeof file_templates_answer_rows_mustache},
    {"templates/ask.mustache", file_templates_ask_mustache, sizeof file_templates_ask_mustache},
    {"templates/attach.mustache", file_templates_attach_mustache, sizeof file_templates_attach_mustache},
    {"templates/backlinks.mustache", file_templates_backlinks_mustache, sizeof file_templates_backlinks_mustache},
    {"templates/brief.mustache", file_templates_brief_mustache, sizeof file_templates_brief_mustache},
    {"templates/calendar.mustache", file_templates_calendar_mustache, sizeof file_templates_calendar_mustache},
    {"templates/calendars.mustache", file_templates_calendars_mustache, sizeof file_templates_calendars_mustache},
    {"templates/capture.mustache", file_templates_capture_mustache, sizeof file_templates_capture_mustache},
    {"templates/compared-fields.mustache", file_templates_compared_fields_mustache, sizeof file_templates_compared_fields_mustache},
    {"templates/counts.mustache", file_templates_counts_mustache, sizeof file_templates_counts_mustache},
    {"templates/day-start.mustache", file_templates_day_start_mustache, sizeof file_templates_day_start_mustache},
    {"templates/day.mustache", file_templates_day_mustache, sizeof file_templates_day_mustache},
    {"templates/design.mustache", file_templates_design_mustache, sizeof file_templates_design_mustache},
    {"templates/foot.mustache", file_templates_foot_mustache, sizeof file_templates_foot_mustache},
    {"templates/form-errors.mustache", file_templates_form_errors_mustache, sizeof file_templates_form_errors_mustache},
    {"templates/form-fields.mustache", file_templates_form_fields_mustache, sizeof file_templates_form_fields_mustache},
    {"templates/found.mustache", file_templates_found_mustache, sizeof file_templates_found_mustache},
    {"templates/free-note-edit.mustache", file_templates_free_note_edit_mustache, sizeof file_templates_free_note_edit_mustache},
    {"templates/free-note.mustache", file_templates_free_note_mustache, sizeof file_templates_free_note_mustache},
    {"templates/go.mustache", file_templates_go_mustache, sizeof file_templates_go_mustache},
    {"templates/goal-card.mustache", file_templates_goal_card_mustache, sizeof file_templates_goal_card_mustache},
    {"templates/goal-edit.mustache", file_templates_goal_edit_mustache, sizeof file_templates_goal_edit_mustache},
    {"templates/goal-tabs.mustache", file_templates_goal_tabs_mustache, sizeof file_templates_goal_tabs_mustache},
    {"templates/goal.mustache", file_templates_goal_mustache, sizeof file_templates_goal_mustache},
    {"templates/goals.mustache", file_templates_goals_mustache, sizeof file_templates_goals_mustache},
    {"templates/head.mustache", file_templates_head_mustache, sizeof file_templates_head_mustache},
    {"templates/history.mustache", file_templates_history_mustache, sizeof file_templates_history_mustache},
    {"templates/home.mustache", file_templates_home_mustache, sizeof file_templates_home_mustache},
    {"templates/index-status.mustache", file_templates_index_status_mustache, sizeof file_templates_index_status_mustache},
    {"templates/insight-table.mustache", file_templates_insight_table_mustache, sizeof file_templates_insight_table_mustache},
    {"templates/insight-tabs.mustache", file_templates_insight_tabs_mustache, sizeof file_templates_insight_tabs_mustache},
    {"templates/insights.mustache", file_templates_insights_mustache, sizeof file_templates_insights_mustache},
    {"templates/level.mustache", file_templates_level_mustache, sizeof file_templates_level_mustache},
    {"templates/life.mustache", file_templates_life_mustache, sizeof file_templates_life_mustache},
    {"templates/linked.mustache", file_templates_linked_mustache, sizeof file_templates_linked_mustache},
    {"templates/login.mustache", file_templates_login_mustache, sizeof file_templates_login_mustache},
    {"templates/map-days.mustache", file_templates_map_days_mustache, sizeof file_templates_map_days_mustache},
    {"templates/map.mustache", file_templates_map_mustache, sizeof file_templates_map_mustache},
    {"templates/matches.mustache", file_templates_matches_mustache, sizeof file_templates_matches_mustache},
    {"templates/meeting-edit.mustache", file_templates_meeting_edit_mustache, sizeof file_templates_meeting_edit_mustache},
    {"templates/meeting-tabs.mustache", file_templates_meeting_tabs_mustache, sizeof file_templates_meeting_tabs_mustache},
    {"templates/meeting.mustache", file_templates_meeting_mustache, sizeof file_templates_meeting_mustache},
    {"templates/meetings.mustache", file_templates_meetings_mustache, sizeof file_templates_meetings_mustache},
    {"templates/message.mustache", file_templates_message_mustache, sizeof file_templates_message_mustache},
    {"templates/more.mustache", file_templates_more_mustache, sizeof file_templates_more_mustache},
    {"templates/nav.mustache", file_templates_nav_mustache, sizeof file_templates_nav_mustache},
    {"templates/note-edit.mustache", file_templates_note_edit_mustache, sizeof file_templates_note_edit_mustache},
    {"templates/notes.mustache", file_templates_notes_mustache, sizeof file_templates_notes_mustache},
    {"templates/notice.mustache", file_templates_notice_mustache, sizeof file_templates_notice_mustache},
    {"templates/own-files.mustache", file_templates_own_files_mustache, sizeof file_templates_own_files_mustache},
    {"templates/pair.mustache", file_templates_pair_mustache, sizeof file_templates_pair_mustache},
    {"templates/pending.mustache", file_templates_pending_mustache, sizeof file_templates_pending_mustache},
    {"templates/people.mustache", file_templates_people_mustache, sizeof file_templates_people_mustache},
    {"templates/person-edit.mustache", file_templates_person_edit_mustache, sizeof file_templates_person_edit_mustache},
    {"templates/person.mustache", file_templates_person_mustache, sizeof file_templates_person_mustache},
    {"templates/photo-tiles.mustache", file_templates_photo_tiles_mustache, sizeof file_templates_photo_tiles_mustache},
    {"templates/photo.mustache", file_templates_photo_mustache, sizeof file_templates_photo_mustache},
    {"templates/photos.mustache", file_templates_photos_mustache, sizeof file_templates_photos_mustache},
    {"templates/poster.mustache", file_templates_poster_mustache, sizeof file_templates_poster_mustache},
    {"templates/promise-row.mustache", file_templates_promise_row_mustache, sizeof file_templates_promise_row_mustache},
    {"templates/promises.mustache", file_templates_promises_mustache, sizeof file_templates_promises_mustache},
    {"templates/prose-facts.mustache", file_templates_prose_facts_mustache, sizeof file_templates_prose_facts_mustache},
    {"templates/reading.mustache", file_templates_reading_mustache, sizeof file_templates_reading_mustache},
    {"templates/recap.mustache", file_templates_recap_mustache, sizeof file_templates_recap_mustache},
    {"templates/search-help.mustache", file_templates_search_help_mustache, sizeof file_templates_search_help_mustache},
    {"templates/search.mustache", file_templates_search_mustache, sizeof file_templates_search_mustache},
    {"templates/settings-address-books.mustache", file_templates_settings_address_books_mustache, sizeof file_templates_settings_address_books_mustache},
    {"templates/settings-assistant.mustache", file_templates_settings_assistant_mustache, sizeof file_templates_settings_assistant_mustache},
    {"templates/settings-backup.mustache", file_templates_settings_backup_mustache, sizeof file_templates_settings_backup_mustache},
    {"templates/settings-capture.mustache", file_templates_settings_capture_mustache, sizeof file_templates_settings_capture_mustache},
    {"templates/settings-change.mustache", file_templates_settings_change_mustache, sizeof file_templates_settings_change_mustache},
    {"templates/settings-duplicates.mustache", file_templates_settings_duplicates_mustache, sizeof file_templates_settings_duplicates_mustache},
    {"templates/settings-forget.mustache", file_templates_settings_forget_mustache, sizeof file_templates_settings_forget_mustache},
    {"templates/settings-history.mustache", file_templates_settings_history_mustache, sizeof file_templates_settings_history_mustache},
    {"templates/settings-import.mustache", file_templates_settings_import_mustache, sizeof file_templates_settings_import_mustache},
    {"templates/settings-imports.mustache", file_templates_settings_imports_mustache, sizeof file_templates_settings_imports_mustache},
    {"templates/settings-linked.mustache", file_templates_settings_linked_mustache, sizeof file_templates_settings_linked_mustache},
    {"templates/settings-merge.mustache", file_templates_settings_merge_mustache, sizeof file_templates_settings_merge_mustache},
    {"templates/settings-move.mustache", file_templates_settings_move_mustache, sizeof file_templates_settings_move_mustache},
    {"templates/settings-news.mustache", file_templates_settings_news_mustache, sizeof file_templates_settings_news_mustache},
    {"templates/settings-nudges.mustache", file_templates_settings_nudges_mustache, sizeof file_templates_settings_nudges_mustache},
    {"templates/settings-phone.mustache", file_templates_settings_phone_mustache, sizeof file_templates_settings_phone_mustache},
    {"templates/settings-programs.mustache", file_templates_settings_programs_mustache, sizeof file_templates_settings_programs_mustache},
    {"templates/settings-restart.mustache", file_templates_settings_restart_mustache, sizeof file_templates_settings_restart_mustache},
    {"templates/settings-restore.mustache", file_templates_settings_restore_mustache, sizeof file_templates_settings_restore_mustache},
    {"templates/settings-service.mustache", file_templates_settings_service_mustache, sizeof file_templates_settings_service_mustache},
    {"templates/settings-services.mustache", file_templates_settings_services_mustache, sizeof file_templates_settings_services_mustache},
    {"templates/settings-storage.mustache", file_templates_settings_storage_mustache, sizeof file_templates_settings_storage_mustache},
    {"templates/settings-sync.mustache", file_templates_settings_sync_mustache, sizeof file_templates_settings_sync_mustache},
    {"templates/settings-tabs.mustache", file_templates_settings_tabs_mustache, sizeof file_templates_settings_tabs_mustache},
    {"templates/settings-tag.mustache", file_templates_settings_tag_mustache, sizeof file_templates_settings_tag_mustache},
    {"templates/settings-tags.mustache", file_templates_settings_tags_mustache, sizeof file_templates_settings_tags_mustache},
    {"templates/settings-templates.mustache", file_templates_settings_templates_mustache, sizeof file_templates_settings_templates_mustache},
    {"templates/settings.mustache", file_templates_settings_mustache, sizeof file_templates_settings_mustache},
    {"templates/sync.mustache", file_templates_sync_mustache, sizeof file_templates_sync_mustache},
    {"templates/term-edit.mustache", file_templates_term_edit_mustache, sizeof file_templates_term_edit_mustache},
    {"templates/term.mustache", file_templates_term_mustache, sizeof file_templates_term_mustache},
    {"templates/terms.mustache", file_templates_terms_mustache, sizeof file_templates_terms_mustache},
    {"templates/thread.mustache", file_templates_thread_mustache, sizeof file_templates_thread_mustache},
    {"templates/threads.mustache", file_templates_threads_mustache, sizeof file_templates_threads_mustache},
    {"templates/value-edit.mustache", file_templates_value_edit_mustache, sizeof file_templates_value_edit_mustache},
    {"templates/value-rows.mustache", file_templates_value_rows_mustache, sizeof file_templates_value_rows_mustache},
    {"templates/value.mustache", file_templates_value_mustache, sizeof file_templates_value_mustache},
    {"templates/values.mustache", file_templates_values_mustache, sizeof file_templates_values_mustache},
    {"templates/welcome-language.mustache", file_templates_welcome_language_mustache, sizeof file_templates_welcome_language_mustache},
    {"templates/welcome-sample.mustache", file_templates_welcome_sample_mustache, sizeof file_templates_welcome_sample_mustache},
    {"templates/welcome.mustache", file_templates_welcome_mustache, sizeof file_templates_welcome_mustache},
    {"tokens.css", file_tokens_css, sizeof file_tokens_css},
    {"visit.js", file_visit_js, sizeof file_visit_js},
    {"world.map", file_world_map, sizeof file_world_map},
};

size_t web_file_count(void) { return sizeof files / sizeof files[0]; }

struct web_file web_file_at(size_t index) { return files[index]; }
