"""Words for the general suite's trained templates."""

from __future__ import annotations

PEOPLE_AND_PLANS = """
create_event @ Calendar
  do       add {title} to my calendar on {date} / schedule {title} on {date}
  do       create an event {title} on {date}
  do       put {title} in my calendar for {date} / enter {title} on {date} in the calendar
  bit      {title} on {date} / new event {title} {date}
  new do   pencil in {title} for {date} / book {title} on {date} / block {date} for {title}
  new bit  {date} {title} into the calendar / calendar {title} {date}
open_event @ Calendar
  do       open the event {title} / show me the event {title} / look up {title} in my calendar
  bit      event {title} / {title} in calendar
  ask      when is {title}?
  new do   bring up {title} from my calendar / pull up the entry {title}
  new ask  what time does {title} start?
events_on_date @ Calendar
  do       check my calendar for {date} / show my calendar on {date} / see what i have on {date}
  bit      my plans for {date} / calendar {date}
  ask      what do i have on {date}? / what's on my calendar on {date}?
  new do   go over my schedule for {date} / find out what is planned on {date}
  new ask  am i busy on {date}? / anything going on on {date}?
  new bit  agenda {date}
add_contact @ Contacts
  do       add {person} to my contacts / save {person} as a contact / create a contact for {person}
  do       add a new contact {person}
  bit      new contact {person}
  new do   put {person} in my address book / store {person} in the contacts
  new bit  contact entry for {person}
star_contact @ Contacts
  do       make {person} a favorite / add {person} to favorites / star {person} in contacts
  bit      {person} as favorite
  new do   mark {person} as a favourite contact / favorite {person}
  new do   put a star on {person} in my contacts
  new bit  {person} to the favourites
contact_number @ Contacts
  do       find the number of {person} / show me {person}'s phone number
  do       look up the number of {person}
  bit      {person} phone number / number of {person}
  ask      what's {person}'s number? / what is the number of {person}?
  new do   get me {person}'s digits / pull up how to reach {person} by phone
  new ask  how do i reach {person} by phone? / do i have a number for {person}?
send_message @ Messages
  do       send {person} a message saying {text} / text {person} {text}
  do       message {text} to {person}
  do       write to {person}: {text} / tell {person}: {text} / send {text} to {person} in messages
  bit      {person}: {text} / message to {person}: {text}
  new do   let {person} know: {text} / drop {person} a line: {text} / shoot {person} a text: {text}
  new bit  sms {person} {text} / to {person} - {text}
open_chat @ Messages
  do       open my chat with {person} / show the messages from {person}
  do       go to my chat with {person}
  bit      chat with {person} / messages from {person}
  ask      what did {person} write?
  new do   bring up the thread with {person} / pull up my texts with {person}
  new bit  {person} texts / thread {person}
call_contact, call_stranger @ Phone
  do       call {person} / phone {person} / ring {person} / give {person} a ring
  do       make a call to {person}
  bit      phone call to {person}
  new do   get {person} on the phone / dial {person} / call up {person}
  new bit  call w/ {person}
call_number @ Phone
  do       call {number} / dial the number {number} / phone {number} / ring {number}
  bit      call to {number}
  new do   place a call to {number} / get {number} on the line / make the phone call {number}
  new bit  number {number} call it
mute_call @ Phone
  do       mute the call with {person} / mute my microphone in the call with {person}
  do       put my call with {person} on mute
  bit      mute {person}
  new do   silence my mic while i talk to {person} / go on mute with {person}
  new bit  mic off with {person}
archive_mail @ Mail
  do       archive the mail {subject} / archive the email {subject}
  do       move the mail {subject} to the archive
  bit      archive {subject}
  new do   file away the email {subject} / put {subject} away in the mail archive
  new bit  email {subject} into archive
star_mail @ Mail
  do       star the mail {subject} / star the email {subject} / put a star on the mail {subject}
  bit      star {subject}
  new do   flag the email {subject} with a star / mark {subject} in my inbox as starred
  new bit  {subject} mail star it
reply_mail @ Mail
  do       reply {text} to the mail {subject} / answer the mail {subject} with {text}
  do       write back {text} to the email {subject}
  bit      reply to {subject}: {text}
  new do   respond to the email {subject}: {text} / get back to the sender of {subject} with {text}
  new bit  re {subject}: {text}
add_task @ Tasks
  do       add {title} to my {list} list / put {title} on the {list} list
  do       add a task {title} to {list}
  bit      {list} list: {title} / new {list} task {title}
  new do   note {title} down as a to-do under {list} / jot {title} on my {list} to-do list
  new bit  todo {list} {title}
finish_task @ Tasks
  do       check off {title} on my {list} list / mark {title} in {list} as done
  do       tick {title} on the {list} list
  bit      {title} in {list} is done
  new do   cross {title} off my {list} list / set the {list} task {title} to completed
  new bit  done with {title} ({list})
star_task @ Tasks
  do       star the task {title} in {list} / star {title} on my {list} list
  do       put a star on {title} in {list}
  bit      star {title} ({list})
  new do   flag {title} on the {list} list as important
  new do   highlight {title} in my {list} to-dos with a star
  new bit  {list} task {title} star
finish_starred @ Tasks
  do       check off the starred {list} task / mark my starred task in {list} as done
  do       complete the starred task on the {list} list
  bit      starred {list} task done
  new do   cross off whatever has a star on the {list} list / wrap up the one starred {list} to-do
  new bit  {list} star task finished
create_note @ Notes
  do       create a note called {title} / make a note titled {title} / write a note {title}
  do       add a note named {title} / start a new note {title}
  bit      new note {title} / note {title}
  new do   jot down a note {title} / save a note with {title} as its title
  new do   start a memo titled {title}
  new bit  memo {title} please
delete_note @ Notes
  do       delete the note {title} / remove the note {title} / delete my note {title}
  do       erase the note {title}
  bit      delete note {title}
  new do   get rid of the note {title} / bin my {title} note / trash the note {title}
  new bit  {title} note out
open_note @ Notes
  do       open the note {title} / show me the note {title} / read the note {title}
  bit      my note {title} / note {title} open
  new do   pull up the note {title} / bring up {title} in notes
  new ask  what did i write down in {title}?
pin_note @ Notes
  do       pin the note {title} / put my note {title} on top / star the note {title}
  bit      pin {title}
  new do   stick {title} to the top of my notes / fix the note {title} at the top
  new bit  {title} note on top
open_color_note @ Notes
  do       open the {color} note {title} / show me the {color} {title} note
  do       read the {title} note that is {color}
  bit      {color} note {title}
  new do   pull up the {title} note with the {color} background / get me {title}, the {color} one
  new bit  {title} in {color}
open_notification @
  do       open the notification {note} / tap the notification about {note}
  do       show the notification for {note}
  bit      notification {note}
  new do   see what the alert {note} wants / go to the {note} reminder in the shade
  new bit  alert {note} open it
"""

PHONE_AND_MEDIA = """
search_fact @ Browser
  do       search for {fact} / search the web for {fact} / google {fact} / look up {fact}
  do       find out {fact} on the internet
  bit      {fact}
  new do   check the internet for {fact} / do a web search on {fact} / browse for {fact}
  new bit  web {fact} / {fact} online
open_site @ Browser
  do       go to {site} / open {site} / visit {site} / open the website {site} / load {site}
  bit      {site}
  new do   take me to {site} / head over to {site} / bring {site} up in the browser
  new bit  {site} website
new_tab @ Browser
  do       open a {kind} / start a {kind} in the browser / create a {kind}
  bit      {kind} / browser {kind}
  new do   get a {kind} going / pop up a {kind} in the browser
  new bit  {kind} plz
bookmark_site @ Browser
  do       bookmark {site} / add a bookmark for {site} / save {site} to my bookmarks
  bit      bookmark for {site}
  new do   keep {site} among my bookmarks / remember the site {site} with a bookmark
  new bit  {site} into bookmarks
add_numbers @ Calculator
  do       calculate {number} + {digit} / add {number} and {digit} / work out {number} + {digit}
  bit      {number} + {digit} / {number} plus {digit}
  ask      what's {number} + {digit}? / how much is {number} + {digit}?
  new do   sum up {number} and {digit} / crunch {number} + {digit} in the calculator
  new ask  what does {number} and {digit} make?
  new bit  {number} and {digit} together
camera_flash @ Camera
  do       turn the camera flash {switch} / set the camera flash to {switch}
  do       switch the camera's flash {switch}
  bit      flash {switch} / flash {switch} in camera
  new do   get the flash of my camera {switch} / flip the camera flash to {switch}
  new bit  flash mode {switch} for photos
set_alarm @ Clock
  do       set an alarm for {time} / set an alarm at {time} / add an alarm for {time}
  do       wake me at {time}
  do       create an alarm at {time}
  bit      alarm {time} / {time} alarm / alarm at {time}
  ask      can i have an alarm at {time}?
  new do   get me up at {time} / put an alarm on for {time} / schedule an alarm for {time}
  new bit  wakeup {time} / {time} wake up call
switch_alarm @ Clock
  do       turn {switch} the {label} alarm / switch {switch} the alarm {label}
  do       set the alarm {label} to {switch}
  bit      {label} alarm {switch}
  new do   flip my {label} alarm {switch} / have the alarm {label} {switch}
  new bit  alarm {label} should be {switch}
start_timer @ Clock
  do       start a {minutes} minute timer / set a timer for {minutes} minutes
  do       run a timer of {minutes} minutes
  bit      timer {minutes} minutes / {minutes} minute timer / {minutes} min timer
  new do   count {minutes} minutes down / get a countdown of {minutes} minutes going
  new do   time {minutes} minutes for me
  new bit  countdown {minutes} min
add_city @ Clock
  do       add {city} to the world clock / put {city} in my world clock
  do       add the time of {city} to the clock
  bit      {city} in world clock
  new do   have {city} listed in the world clock / include {city} on the world tab
  new bit  world clock + {city}
city_time @ Clock
  do       check the time in {city} / tell me the time in {city} / show the current time in {city}
  bit      time in {city} / {city} time
  ask      what's the time in {city}? / what time is it in {city} now?
  new do   find out how late it is in {city} / look at the clock for {city}
  new ask  how late is it over in {city}?
  new bit  {city} local time
stopwatch @ Clock
  do       start the stopwatch / run the stopwatch / turn on the stopwatch
  bit      stopwatch / stopwatch go
  new do   get the stopwatch ticking / fire up the stopwatch
  new bit  stopwatch now
open_recent_file @ Files
  do       open the recent file {file} / reopen {file} / open {file} from my recent files
  bit      recent file {file}
  new do   pull {file} up again from recents / go back into {file}
  new bit  {file} from recents
delete_file @ Files
  do       delete {file} in {folder} / remove {file} from {folder}
  do       delete the file {file} from {folder}
  bit      delete {folder} file {file}
  new do   get {file} out of {folder} for good / trash {file} in my {folder} folder
  new bit  {file} in {folder} can go
create_folder @ Files
  do       create a folder called {title} / make a folder {title} / add a new folder {title}
  bit      new folder {title}
  new do   set up a folder with the name {title} / get me an empty folder {title}
  new bit  folder: {title}
open_photo @ Gallery
  do       open the photo of the {subject} / show me the {subject} photo
  do       find my {subject} picture
  do       open the picture with the {subject}
  bit      {subject} photo / picture of the {subject}
  new do   dig up the shot of the {subject} / get the {subject} pic on screen
  new bit  {subject} pic / the {subject} image
open_album @ Gallery
  do       open the album {album} / open my {album} photos / show the album {album}
  bit      album {album} / {album} photos
  new do   browse the pictures in {album} / flip through the {album} album
  new bit  pics {album}
find_place @ Maps
  do       find {place} on the map / find {place} in maps / search for {place} / locate {place}
  bit      {place} on map
  ask      where is {place}? / where's {place}?
  new do   point me to {place} on the map / pull up {place} in maps
  new ask  whereabouts is {place}?
  new bit  map {place}
play_song @ Music
  do       play {song} / play the song {song} / put on the song {song} / start {song} in music
  bit      song {song}
  new do   let me hear {song} / queue up {song} and play it / get {song} playing
  new bit  music: {song}
switch_setting @ Settings
  do       turn {switch} {setting} / turn {setting} {switch} / switch {setting} {switch}
  do       set {setting} to {switch}
  bit      {setting} {switch} / {switch} {setting}
  new do   flip {setting} {switch} / get {setting} {switch} / have {setting} {switch} on this phone
  new bit  {setting} should be {switch}
choose_option @ Settings
  do       set the {setting} to {value} / change the {setting} to {value}
  do       pick {value} as the {setting}
  bit      {setting} {value} / {setting}: {value}
  new do   make the {setting} go to {value} / adjust the {setting} to {value}
  new bit  {value} as {setting}
connect_wifi @ Settings
  do       connect to {network} / join the wi-fi {network}
  do       connect my phone to the wi-fi {network}
  bit      wi-fi {network}
  new do   hop onto {network} / get on the {network} network / hook me up to the wifi {network}
  new bit  wifi: {network}
pair_device @ Settings
  do       pair {device} / connect {device} over bluetooth / pair with {device}
  bit      bluetooth {device}
  new do   hook up {device} by bluetooth / link my phone and {device}
  new bit  {device} bluetooth pairing
app_info @ Settings
  do       open the app info of {app} / show the app info for {app}
  do       check the settings for the {app} app
  bit      app info {app}
  new do   pull up the settings page that belongs to {app} / look at the app details of {app}
  new bit  {app} details in settings
phone_fact @ Settings
  do       check {fact} / find out {fact} / look up {fact} in settings
  bit      {fact}
  ask      what's {fact}?
  new do   get me {fact} / see what {fact} is
  new ask  any idea what {fact} is?
install_app, install_missing_app @ Store
  do       install {app} / install the {app} app / download {app} / get {app} from the store
  bit      {app} install
  new do   grab the app {app} / put {app} on my phone / load {app} from the store
  new bit  need {app} app
uninstall_app @ Store
  do       uninstall {app} / uninstall the {app} app / remove {app} from my phone
  do       remove the app {app}
  bit      {app} uninstall
  new do   get rid of the app {app} / take {app} off my phone / kick {app} off the phone
  new bit  {app} gone
quick_switch @
  do       turn {setting} {switch} in quick settings
  do       switch {setting} {switch} in the quick settings
  do       turn {switch} {setting} from the shade
  bit      quick settings {setting} {switch}
  new do   flip the {setting} tile {switch} / pull down quick settings and get {setting} {switch}
  new bit  {setting} tile {switch}
quick_icon @
  do       turn {setting} {switch} with its icon in quick settings
  do       use the {setting} icon to turn it {switch}
  do       tap the icon for {setting} in the shade to turn it {switch}
  bit      {setting} icon {switch}
  new do   hit the shade icon that gets {setting} {switch}
  new do   flip {setting} {switch} with the little icon up there
  new bit  shade icon {setting} {switch}
dock_app @
  do       open {app} from the dock / tap {app} in the dock / start {app} from the bottom row
  bit      {app} in dock
  new do   hit the {app} icon down in the dock / fire up {app} from the dock
  new bit  dock: {app}
open_app @
  do       open {app} / open the {app} app / start {app} / launch the app {app}
  bit      {app} app
  new do   fire up {app} / bring up the {app} app / get {app} running
  new bit  {app} now
play_video @ Videos
  do       play the video {video} / watch the video {video} / play {video}
  do       find the video {video} and play it
  bit      video {video}
  new do   put the video {video} on / get {video} playing in videos / stream {video}
  new bit  vid {video}
watch_from_home @ Videos
  do       play {video} from the home page of videos / watch {video} from the feed
  do       tap {video} on the videos home page
  bit      {video} from the feed
  new do   put on {video}, it should be right there when you open videos
  new do   start {video} straight off the videos front page
  new bit  front page vid {video}
like_video @ Videos
  do       like the video {video} / give {video} a like / like {video} in videos
  bit      like {video}
  new do   leave a thumbs up on {video} / hit like on the video {video}
  new bit  thumbs up {video}
city_weather @ Weather
  do       check the weather in {city} / show the weather for {city}
  do       look up the weather in {city}
  bit      weather {city} / {city} weather
  ask      what's the weather like in {city}? / how's the weather in {city}?
  new do   see what it is like outside in {city} / find out how warm it is in {city}
  new ask  is it nice out in {city}? / how hot is it in {city}?
  new bit  forecast {city}
add_weather_city @ Weather
  do       add {city} to weather / add {city} to my weather cities / put {city} in the weather app
  bit      {city} in the weather list
  new do   have {city} show up in weather / track the weather of {city}
  new bit  weather list + {city}
delete_recording @ Recorder
  do       delete the recording {title} / remove the recording {title}
  do       delete my voice memo {title}
  bit      delete recording {title}
  new do   trash the voice note {title} / wipe the recording {title}
  new bit  recording {title} away
play_recording @ Recorder
  do       play the recording {title} / play my voice memo {title}
  do       listen to the recording {title}
  bit      recording {title}
  new do   play back the voice note {title} / let me listen to what i recorded as {title}
  new bit  voice note {title} playback
"""
