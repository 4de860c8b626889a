"""Questions about what the apps hold. They are a suite of their own: general stays as it is."""

from __future__ import annotations

import zlib
from random import Random
from typing import Any

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.maps import PLACES
from distrl.devices.phone.apps.music import PLAYLISTS
from distrl.devices.phone.apps.settings_tables import TITLES, page_of
from distrl.devices.phone.apps.store import APPS
from distrl.devices.phone.apps.todo import LISTS
from distrl.devices.phone.apps.weather import SKIES, day_name, degrees
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.answers import same_answer
from distrl.tasks.general import (
    calendar,
    clock,
    files,
    mail,
    maps,
    messages,
    music,
    notes,
    settings,
    store,
    todo,
    weather,
)
from distrl.tasks.general.contacts import drop_contact, open_card, put_contact
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import ALARM_LABEL, EVENT, MAIL, PERSON, REMINDER, closed
from distrl.tasks.question import Question, Unanswerable, yes_or_no
from distrl.tasks.template import Draw, Params, Scene, Template


def _clock(state: State, minutes: int) -> str:
    return phone_time.clock_text(minutes, hour24=state["system"]["hour24"])


# Clock and calendar


class _Alarm(Question):
    """Something about the alarm `target`."""

    params = {"label": ALARM_LABEL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It exists, and may be on or off."""
        clock.DeleteAlarm().setup(control, p, rng)
        control.write_root("apps", "clock", "alarms", "target", "on", to=rng.random() < 0.5)

    def look(self, hand: Hand, p: Params) -> None:
        """The list of alarms is in front."""
        hand.open("clock")
        hand.on("main")
        hand.tab("Alarm")
        alarm = hand.data("clock")["alarms"].get("target")
        if alarm is not None and not hand.sees(p["label"]):
            hand.scroll_to(_clock(hand.state, alarm["minutes"]))


class AlarmTime(_Alarm):
    """When it rings."""

    name = "q_alarm_time"
    phrasings = (
        "What time is the {label} alarm set for?",
        "When does my {label} alarm ring?",
        "Tell me the time of the alarm called {label}",
    )

    def right(self, state: State, p: Params) -> str:
        """Its time."""
        return _clock(state, state["apps"]["clock"]["alarms"]["target"]["minutes"])


class AlarmOn(_Alarm):
    """Whether it is on."""

    name = "q_alarm_on"
    phrasings = (
        "Is the {label} alarm switched on?",
        "Will the alarm called {label} ring, yes or no?",
        "Have I turned the {label} alarm on?",
    )

    def right(self, state: State, p: Params) -> str:
        """Its switch."""
        return yes_or_no(state["apps"]["clock"]["alarms"]["target"]["on"])


class NoAlarm(Unanswerable):
    """An alarm that is not there has no time."""

    name = "q_no_alarm"
    phrasings = AlarmTime.phrasings
    params = {"label": ALARM_LABEL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No alarm of that label."""
        alarms = control.state["apps"]["clock"]["alarms"]
        kept = {key: alarm for key, alarm in alarms.items() if alarm["label"] != p["label"]}
        control.write_root("apps", "clock", "alarms", to=kept)

    def look(self, hand: Hand, p: Params) -> None:
        """Look for it."""
        _Alarm.look(AlarmTime(), hand, p)


class EventTime(Question):
    """When an event starts."""

    name = "q_event_time"
    phrasings = (
        "At what time does {title} start?",
        "What time is {title} in my calendar?",
        "When do I have to be at {title}? Tell me the time",
    )
    place = calendar.OpenEvent()

    def right(self, state: State, p: Params) -> str:
        """Its time."""
        return _clock(state, state["apps"]["calendar"]["events"]["target"]["minutes"])


class EventDate(Question):
    """The day of an event."""

    name = "q_event_date"
    phrasings = (
        "On which day is {title}?",
        "What is the date of {title} in my calendar?",
        "Tell me the day of {title}",
    )
    place = calendar.OpenEvent()

    def right(self, state: State, p: Params) -> str:
        """Its date."""
        return phone_time.date_text(state["apps"]["calendar"]["events"]["target"]["day"])


class NoEvent(Unanswerable):
    """An event that nobody has planned has no time."""

    name = "q_no_event"
    phrasings = EventTime.phrasings
    params = {"title": EVENT}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No event of that title."""
        calendar.CreateEvent().setup(control, {**p, "date": phone_time.long_date(20)}, rng)

    def look(self, hand: Hand, p: Params) -> None:
        """The agenda is in front."""
        hand.open("calendar")
        hand.on("main")
        hand.tab("Agenda")


class EventBeforeAlarm(Question):
    """Two apps: the time of day of an event and of an alarm."""

    name = "q_event_before_alarm"
    phrasings = (
        "Does {title} start earlier in the day than my {label} alarm rings?",
        "Is the time of {title} before the time of the {label} alarm?",
        "Comparing clock times, does {title} come before the {label} alarm?",
    )
    params = {"title": EVENT, "label": ALARM_LABEL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Both exist, at different times."""
        calendar.OpenEvent().setup(control, p, rng)
        clock.DeleteAlarm().setup(control, p, rng)
        event = control.state["apps"]["calendar"]["events"]["target"]["minutes"]
        away = rng.choice((-1, 1)) * rng.randrange(5, 200, 5)
        # One with the same time would stand for the other one in the list of alarms.
        minutes = event + away
        alarms = control.state["apps"]["clock"]["alarms"]
        kept = {k: a for k, a in alarms.items() if k == "target" or a["minutes"] != minutes}
        kept["target"] = {**kept["target"], "minutes": minutes}
        control.write_root("apps", "clock", "alarms", to=kept)

    def right(self, state: State, p: Params) -> str:
        """Which is earlier."""
        apps = state["apps"]
        event = apps["calendar"]["events"]["target"]["minutes"]
        return yes_or_no(event < apps["clock"]["alarms"]["target"]["minutes"])

    def look(self, hand: Hand, p: Params) -> None:
        """The event first, whose page stays open behind the clock; then the alarm."""
        if hand.app != "clock":
            pages = hand.state["ui"]["stacks"].get("calendar", [{"name": ""}])
            if pages[-1]["name"] != "event":
                calendar.OpenEvent().oracle(hand, p)
        _Alarm.look(AlarmTime(), hand, p)


# People


class ContactNumber(Question):
    """A phone number."""

    name = "q_contact_number"
    phrasings = (
        "What is the phone number of {person}?",
        "Which number does {person} have?",
        "Look up how I can call {person} and tell me the number",
    )
    params = {"person": PERSON}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists."""
        put_contact(control, p["person"])

    def look(self, hand: Hand, p: Params) -> None:
        """The card is open."""
        open_card(hand, p["person"])

    def right(self, state: State, p: Params) -> str:
        """The number on the card."""
        return str(state["apps"]["contacts"]["contacts"]["target"]["phone"])


class ContactMail(ContactNumber):
    """A mail address."""

    name = "q_contact_mail"
    unseen = True
    phrasings = (
        "What is the mail address of {person}?",
        "Which mail address does {person} have?",
        "Look {person} up in my contacts and tell me the mail address",
    )

    def right(self, state: State, p: Params) -> str:
        """The address on the card."""
        return str(state["apps"]["contacts"]["contacts"]["target"]["mail"])


class NoContact(Unanswerable):
    """Who is not in the phone book has no number there."""

    name = "q_no_contact"
    phrasings = ContactNumber.phrasings
    params = {"person": PERSON}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The person is not there."""
        drop_contact(control, p["person"])

    def look(self, hand: Hand, p: Params) -> None:
        """A search for the name is in front."""
        hand.open("contacts")
        hand.on("main")
        hand.type("query", p["person"])


class MailSender(Question):
    """Who wrote a mail."""

    name = "q_mail_sender"
    phrasings = (
        "Who sent me the mail {subject}?",
        "Who wrote the mail with the subject {subject}?",
        "Tell me who the mail {subject} is from",
    )
    params = {"subject": MAIL}
    allows = ("apps.mail.mails.target.read",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in the inbox, from anybody."""
        mail.StarMail().setup(control, p, rng)
        sender = rng.choice(content.PEOPLE)
        control.write_root("apps", "mail", "mails", "target", "sender", to=sender)

    def look(self, hand: Hand, p: Params) -> None:
        """It is open."""
        hand.open("mail")
        if hand.at("mail", id="target"):
            return
        hand.on("main")
        hand.tap(p["subject"])

    def right(self, state: State, p: Params) -> str:
        """The sender's name."""
        return str(state["apps"]["mail"]["mails"]["target"]["sender"])


class SenderNumber(MailSender):
    """Two apps: who wrote a mail, and the number of that person."""

    name = "q_sender_number"
    phrasings = (
        "What is the phone number of the person who sent me the mail {subject}?",
        "Find out who wrote the mail {subject} and tell me their phone number",
        "Which number can I call the sender of the mail {subject} at?",
    )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The sender is in the phone book."""
        super().setup(control, p, rng)
        put_contact(control, super().right(control.state, p))

    def look(self, hand: Hand, p: Params) -> None:
        """The mail first, whose page stays open behind the contacts; then the card."""
        pages = hand.state["ui"]["stacks"].get("mail", [{"name": ""}])
        if hand.app == "mail" or pages[-1]["name"] != "mail":
            super().look(hand, p)
        open_card(hand, super().right(hand.state, p))

    def right(self, state: State, p: Params) -> str:
        """The number on the card."""
        return str(state["apps"]["contacts"]["contacts"]["target"]["phone"])


class LastMessage(Question):
    """What somebody wrote last."""

    name = "q_last_message"
    phrasings = (
        "What was the last thing that {person} wrote to me?",
        "What does the newest message from {person} say?",
        "Read me the latest message of {person}",
    )
    place = messages.OpenChat()

    def right(self, state: State, p: Params) -> str:
        """The newest one that is not mine."""
        sent = state["apps"]["messages"]["chats"]["target"]["messages"].values()
        return str([message["text"] for message in sent if not message["mine"]][-1])


# Places and weather


class Temperature(Question):
    """How warm it is."""

    name = "q_temperature"
    phrasings = (
        "How many degrees is it in {city} right now?",
        "What is the temperature in {city}?",
        "How warm is it in {city}? Answer with the degrees",
    )
    place = weather.CityWeather()

    def right(self, state: State, p: Params) -> str:
        """The degrees on the page."""
        held = state["apps"]["weather"]
        return degrees(held["cities"]["target"]["now"], held["units"])


class Sky(Question):
    """What the sky does."""

    name = "q_sky"
    phrasings = (
        "Is it sunny, cloudy, or what is the sky like in {city}?",
        "What kind of weather does {city} have right now, in a word?",
        "How does the Weather app describe the sky over {city}?",
    )
    place = weather.CityWeather()

    def right(self, state: State, p: Params) -> str:
        """The words on the page."""
        return str(SKIES[state["apps"]["weather"]["cities"]["target"]["sky"]][0])


class RainChance(Question):
    """Two pages: a city, and one of its days."""

    name = "q_rain_chance"
    phrasings = (
        "What is the chance of rain in {city} on {day}?",
        "How likely is rain in {city} on {day}, in percent?",
        "How high is the chance that it rains in {city} on {day}?",
    )
    place = weather.WeatherDay()

    def right(self, state: State, p: Params) -> str:
        """The percentage on the day's page."""
        today = phone_time.day_of(state["time"])
        day = next(day for day in range(today + 1, today + 8) if day_name(day) == p["day"])
        number = zlib.crc32(f"{p['city']} {day}".encode())
        return f"{10 + number % 8 * 10}%"


class PlaceRating(Question):
    """The stars of a place."""

    name = "q_place_rating"
    phrasings = (
        "How many stars does {place} have in Maps?",
        "What is the rating of {place}?",
        "How is {place} rated on the map?",
    )
    place = maps.FindPlace()

    def right(self, state: State, p: Params) -> str:
        """Its stars."""
        return str(PLACES[p["place"]].rating)


class PlaceStreet(Question):
    """The address of a place."""

    name = "q_place_street"
    phrasings = (
        "What is the address of {place}?",
        "In which street is {place}?",
        "Find {place} in Maps and tell me the address",
    )
    place = maps.FindPlace()

    def right(self, state: State, p: Params) -> str:
        """Its street."""
        return PLACES[p["place"]].street


class PlaceCloses(Question):
    """How long a place is open."""

    name = "q_place_closes"
    unseen = True
    phrasings = (
        "Until what time is {place} open today?",
        "When does {place} close?",
        "How long can I go to {place} today? Tell me the closing time",
    )
    place = maps.FindPlace()

    def right(self, state: State, p: Params) -> str:
        """Its closing time."""
        return PLACES[p["place"]].open_until


# Things


class FileSize(Question):
    """The size of a file."""

    name = "q_file_size"
    phrasings = (
        "How large is the file {file}?",
        "What is the size of {file}?",
        "How much space does {file} take?",
    )
    place = files.OpenFile()

    def right(self, state: State, p: Params) -> str:
        """Its size with the unit."""
        kb = state["apps"]["files"]["files"]["target"]["kb"]
        return f"{kb} KB" if kb < 1000 else f"{kb / 1000:.1f} MB"


class FileDate(Question):
    """When a file was changed."""

    name = "q_file_date"
    phrasings = (
        "When was {file} last modified?",
        "On which day was the file {file} changed?",
        "What is the date of the file {file}?",
    )
    place = files.OpenFile()

    def right(self, state: State, p: Params) -> str:
        """Its date."""
        return phone_time.date_text(state["apps"]["files"]["files"]["target"]["day"])


class SongArtist(Question):
    """Who sings a song."""

    name = "q_song_artist"
    phrasings = (
        "Who sings {song}?",
        "Which artist is the song {song} by?",
        "Look up {song} in Music and tell me the artist",
    )
    params = music.PlaySong.params

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The phone has it, by anybody."""
        music.PlaySong().setup(control, p, rng)
        artist = rng.choice(sorted({song.artist for song in content.SONGS}))
        control.write_root("apps", "music", "songs", "target", "artist", to=artist)

    def look(self, hand: Hand, p: Params) -> None:
        """A search for it is in front."""
        hand.open("music")
        if hand.at("search"):
            hand.type("query", p["song"])
            return
        hand.on("main")
        hand.tap_icon("search")

    def right(self, state: State, p: Params) -> str:
        """The artist's name."""
        return str(state["apps"]["music"]["songs"]["target"]["artist"])


class PlaylistCount(Question):
    """How many songs a playlist has."""

    name = "q_playlist_count"
    weight = 0.5
    phrasings = (
        "How many songs are in my playlist {playlist}?",
        "Count the songs of the playlist {playlist}",
        "How long is the {playlist} playlist, in songs?",
        "Tell me the number of songs in {playlist}",
        "What number of songs does the playlist {playlist} have?",
    )
    params = {"playlist": closed("playlist", *PLAYLISTS)}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It has a few."""
        held = control.state["apps"]["music"]
        key = next(iter(held["playlists"]))
        songs = rng.sample(list(held["songs"]), rng.randint(2, 12))
        others = {
            k: playlist
            for k, playlist in held["playlists"].items()
            if playlist["name"] != p["playlist"]
        }
        playlist = {**held["playlists"][key], "name": p["playlist"], "songs": songs}
        control.write_root("apps", "music", "playlists", to={**others, "target": playlist})

    def look(self, hand: Hand, p: Params) -> None:
        """The list of playlists is in front."""
        hand.open("music")
        hand.on("main")
        hand.tab("Playlists")
        if not hand.sees(p["playlist"]):
            hand.scroll_to(p["playlist"])

    def right(self, state: State, p: Params) -> str:
        """Its songs."""
        return f"{len(state['apps']['music']['playlists']['target']['songs'])} songs"


class NoteText(Question):
    """What a note says."""

    name = "q_note_text"
    phrasings = (
        "What does my note {title} say?",
        "What is written in the note {title}?",
        "Read me the text of the note called {title}",
    )
    params = notes.OpenNote.params

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It says something."""
        notes.OpenNote().setup(control, p, rng)
        body = rng.choice(content.REMINDERS)
        control.write_root("apps", "notes", "notes", "target", "body", to=body)

    def look(self, hand: Hand, p: Params) -> None:
        """It is open."""
        hand.open("notes")
        if not hand.at("note", id="target"):
            notes.OpenNote().oracle(hand, p)

    def right(self, state: State, p: Params) -> str:
        """Its text."""
        return str(state["apps"]["notes"]["notes"]["target"]["body"])


class TaskList(Question):
    """Which list a task is on."""

    name = "q_task_list"
    unseen = True
    phrasings = (
        "On which of my lists is the task {title}: Personal, Work or Home?",
        "Is {title} on the Personal, the Work or the Home list?",
        "Personal, Work or Home: where did I put the task {title}?",
    )
    params = {"title": REMINDER}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is on one of them."""
        chosen = rng.choice([title for _, title, _ in LISTS])
        todo.FinishTask().setup(control, {**p, "list": chosen}, rng)

    def look(self, hand: Hand, p: Params) -> None:
        """Its list is in front."""
        hand.open("todo")
        hand.on("main")
        hand.tab(self.right(hand.state, p))
        if not hand.sees(p["title"]):
            hand.scroll_to(p["title"])

    def right(self, state: State, p: Params) -> str:
        """The name of its list."""
        chosen = state["apps"]["todo"]["tasks"]["target"]["list"]
        return next(title for key, title, _ in LISTS if key == chosen)


class TaskDone(Question):
    """Whether a task is done."""

    name = "q_task_done"
    phrasings = (
        "Have I already done the task {title} on my {list} list?",
        "Is {title} on the {list} list completed?",
        "Did I tick off {title} in my {list} tasks, yes or no?",
    )
    params = todo.FinishTask.params

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It may be."""
        todo.FinishTask().setup(control, p, rng)
        control.write_root("apps", "todo", "tasks", "target", "done", to=rng.random() < 0.5)

    def look(self, hand: Hand, p: Params) -> None:
        """Its list is in front."""
        hand.open("todo")
        hand.on("main")
        hand.tab(p["list"])
        if not hand.sees(p["title"]):
            hand.scroll_to(p["title"])

    def right(self, state: State, p: Params) -> str:
        """Its box."""
        return yes_or_no(state["apps"]["todo"]["tasks"]["target"]["done"])


class AppRating(Question):
    """The stars of an app."""

    name = "q_app_rating"
    phrasings = (
        "How many stars does the app {app} have in the Store?",
        "What is the rating of {app} in the Store?",
        "How do people rate the app {app}? Tell me the stars",
    )
    place = store.OpenStorePage()

    def right(self, state: State, p: Params) -> str:
        """What the page says: stars, size, and for whom."""
        app = APPS[p["app"]]
        return f"{app.rating} stars {app.size_mb} MB everyone"

    def check(self, scene: Scene, p: Params) -> bool:
        """The stars alone are enough."""
        stars = str(APPS[p["app"]].rating)
        alone = scene.answer is not None and same_answer(scene.answer, stars)
        return alone or super().check(scene, p)


class AppMaker(Question):
    """Who makes an app."""

    name = "q_app_maker"
    phrasings = (
        "Who makes the app {app}?",
        "Which developer is the app {app} from?",
        "Look {app} up in the Store and tell me its developer",
    )
    place = store.OpenStorePage()

    def right(self, state: State, p: Params) -> str:
        """The developer's name."""
        return APPS[p["app"]].developer


class SettingOn(Question):
    """Whether something is switched on."""

    name = "q_setting_on"
    phrasings = (
        "Is {setting} on?",
        "Is {setting} turned on right now?",
        "Yes or no: is {setting} switched on?",
        "Have I switched {setting} on?",
        "Tell me whether {setting} is on",
        "Check in Settings whether {setting} is on",
        "Do I have {setting} enabled?",
    )
    KEYS = {
        words: key
        for words, key in settings.SwitchSetting.KEYS.items()
        if key not in ("wifi", "bluetooth", "saver")
    }
    params = {"setting": closed("asked_setting", *KEYS)}

    def sample(self, draw: Draw) -> dict[str, Any]:
        """Any of them."""
        return {"setting": draw.rng.choice(list(self.KEYS))}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It may be."""
        control.write_root("system", self.KEYS[p["setting"]], to=rng.random() < 0.5)

    def look(self, hand: Hand, p: Params) -> None:
        """Its switch is on the screen."""
        key = self.KEYS[p["setting"]]
        settings.reach(hand, page_of(key))
        if not hand.sees(TITLES[key]):
            hand.scroll_to(TITLES[key])

    def right(self, state: State, p: Params) -> str:
        """Its switch."""
        return yes_or_no(state["system"][self.KEYS[p["setting"]]])


TEMPLATES: tuple[Template, ...] = (
    AlarmTime(),
    AlarmOn(),
    NoAlarm(),
    EventTime(),
    EventDate(),
    NoEvent(),
    EventBeforeAlarm(),
    ContactNumber(),
    ContactMail(),
    NoContact(),
    MailSender(),
    SenderNumber(),
    LastMessage(),
    Temperature(),
    Sky(),
    RainChance(),
    PlaceRating(),
    PlaceStreet(),
    PlaceCloses(),
    FileSize(),
    FileDate(),
    SongArtist(),
    PlaylistCount(),
    NoteText(),
    TaskList(),
    TaskDone(),
    AppRating(),
    AppMaker(),
    SettingOn(),
)
