"""What can be done in the apps of the general suite, and on which occasions people do it."""

from __future__ import annotations

GENERAL = """
    clock     set_alarm          day trip quiet
    clock     switch_alarm       day quiet
    clock     start_timer        quiet home
    clock     add_city           trip people
    clock     stopwatch          home
    clock     city_time          trip people last
    calendar  create_event       day trip people home
    calendar  open_event         day people last
    calendar  events_on_date     day trip last
    contacts  add_contact        people
    contacts  star_contact       people
    contacts  contact_number     people last
    messages  send_message       people day trip home
    messages  open_chat          people last
    phone     call_contact       people last
    phone     call_number        people day last
    mail      archive_mail       tidy day
    mail      star_mail          day note
    mail      reply_mail         people day trip
    todo      add_task           day home note trip
    todo      finish_task        day tidy home
    todo      star_task          day note
    todo      finish_starred     tidy day
    notes     create_note        note trip home people
    notes     delete_note        tidy
    notes     pin_note           note day
    notes     open_note          note trip home last
    browser   bookmark_site      note trip
    browser   open_site          note gear last
    browser   search_fact        note trip last
    files     delete_file        tidy
    files     create_folder      tidy trip
    files     open_recent_file   note last
    gallery   open_album         trip media last
    maps      find_place         trip people day last
    music     play_song          quiet media gear home last
    video     play_video         media gear last
    video     like_video         media
    camera    camera_flash       media
    settings  switch_setting     quiet gear media
    settings  choose_option      quiet gear
    settings  connect_wifi       gear trip
    settings  pair_device        gear media
    settings  app_info           tidy last
    settings  phone_fact         gear last
    settings  quick_switch       quiet gear media
    store     install_app        gear trip
    store     uninstall_app      tidy
    weather   add_weather_city   trip
    weather   city_weather       trip day last
    recorder  delete_recording   tidy
    recorder  play_recording     note media last
"""
