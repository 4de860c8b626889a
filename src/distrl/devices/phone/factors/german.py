"""The words of the phone in German, for the factor `language`.

Words that stand alone on buttons, menus, titles and settings; what the apps hold, and sentences
that are put together, stay as they are. Umlauts are written out, for the phone's typeface has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_TABLE = """
    Settings|Einstellungen; Notes|Notizen; Messages|Nachrichten; Contacts|Kontakte
    Calendar|Kalender; Calculator|Rechner; Camera|Kamera; Clock|Uhr; Files|Dateien
    Gallery|Galerie; Maps|Karten; Music|Musik; Phone|Telefon; Recorder|Aufnahme
    Store|Laden; Tasks|Aufgaben; Weather|Wetter; Mail|Post; Browser|Netz
    Search|Suchen; Search apps|Apps suchen; Search contacts|Kontakte suchen
    Search files|Dateien suchen; Search mail|Post suchen; Search notes|Notizen suchen
    Search settings|Einstellungen suchen; Search the web|Im Netz suchen
    Search videos|Videos suchen; Search here|Hier suchen; Search for a city|Stadt suchen
    Search or type an address|Suchen oder Adresse eingeben
    Search people or numbers|Personen oder Nummern suchen
    Save|Speichern; Cancel|Abbrechen; Delete|Entfernen; Edit|Bearbeiten; Rename|Umbenennen
    Move|Verschieben; Share|Teilen; Reply|Antworten; Archive|Archivieren; Archived|Archiviert
    Unarchive|Aus dem Archiv holen; Remove|Wegnehmen; Clear|Leeren; Clear all|Alles leeren
    Close|Zumachen; Close all|Alle zumachen; Close tab|Tab zumachen
    Close all tabs|Alle Tabs zumachen; Create|Anlegen; Open|Aufmachen; Apply|Anwenden
    Allow|Erlauben; Don't allow|Nicht erlauben; Not now|Nicht jetzt; Update|Aktualisieren
    Update available|Neue Fassung; Updating|Wird erneuert; Permission|Erlaubnis
    Accept all|Alles annehmen; Reject all|Alles ablehnen; Install|Installieren
    Install now|Jetzt installieren; Uninstall|Deinstallieren; Uninstall?|Deinstallieren?
    Yes|Ja; No|Nein; None|Keine; Keep|Behalten; Reset|Auf null; Start|Los; Pause|Anhalten
    Play|Spielen; Call|Anrufen; Connect|Verbinden; Disconnect|Trennen; Forget|Vergessen
    Pair|Koppeln; Pair new device|Neues Geraet koppeln; Pair device?|Geraet koppeln?
    New note|Neue Notiz; Edit note|Notiz bearbeiten; Title|Titel; Note|Notiz
    Delete note?|Notiz entfernen?; Note saved|Notiz gespeichert; Note deleted|Notiz entfernt
    Add a line|Zeile anfuegen; Color|Farbe; Pin|Anheften; Unpin|Loesen
    No notes yet|Noch keine Notizen; No notes found|Keine Notizen gefunden
    This cannot be undone.|Das laesst sich nicht rueckgaengig machen.
    New contact|Neuer Kontakt; Edit contact|Kontakt bearbeiten; Name|Vorname und Name
    Phone number|Telefonnummer; Groups|Gruppen; Group|Gruppe; New group|Neue Gruppe
    Contact saved|Kontakt gespeichert; Contact deleted|Kontakt entfernt
    Delete contact?|Kontakt entfernen?; Favorites|Lieblinge; Recents|Letzte
    Keypad|Tasten; Incoming|Eingehend; Outgoing|Ausgehend
    Missed|Verpasst; Block number|Nummer sperren
    Unblock number|Nummer freigeben; Blocked numbers|Gesperrte Nummern
    Number blocked|Nummer gesperrt; Clear call history|Anrufliste leeren
    End|Auflegen; Call ended|Anruf beendet; On hold|Gehalten
    Chats|Gespraeche; Message|Nachricht; Text message|Kurznachricht
    Delete chat?|Gespraech entfernen?; Mark as read|Als gelesen markieren
    Mark as unread|Als ungelesen markieren; Mark all as read|Alles als gelesen markieren
    Inbox|Eingang; Sent|Gesendet; Trash|Papierkorb; Starred first|Markierte zuerst
    New mail|Neue Post; Subject|Betreff; Folders|Ordner; Move to inbox|In den Eingang
    Moved to inbox|Im Eingang; Moved to trash|Im Papierkorb; No mails found|Keine Post gefunden
    Report spam|Als Werbung melden; Add a recipient|Empfaenger hinzufuegen
    Alarm|Wecker; Alarm saved|Wecker gespeichert; Alarm deleted|Wecker entfernt
    Delete alarm?|Wecker entfernen?; Timer|Kurzzeit; Stopwatch|Stoppuhr; World|Welt
    Minutes|Minuten; Label|Bezeichnung; No alarms|Keine Wecker; Presets|Vorgaben
    Time is up|Die Zeit ist um; Stopped|Angehalten; Paused|In Pause
    Event|Termin; New event|Neuer Termin; Edit event|Termin bearbeiten
    Event saved|Termin gespeichert; Event deleted|Termin entfernt
    Event updated|Termin geaendert; Delete event?|Termin entfernen?; Agenda|Terminliste
    Month|Monat; Today|Heute; Yesterday|Gestern; Date|Datum; Time|Uhrzeit
    Next month|Naechster Monat; Previous month|Voriger Monat; No events|Keine Termine
    Nothing is planned|Nichts geplant; New task|Neue Aufgabe; Task|Aufgabe
    Task added|Aufgabe angelegt; Task deleted|Aufgabe entfernt
    Clear completed|Erledigte leeren; Completed|Erledigt; Mark as done|Als erledigt markieren
    Mark as not done|Als offen markieren; Mark all as done|Alle als erledigt markieren
    What is to be done?|Was ist zu tun?; Personal|Privat; Work|Arbeit; Groceries|Einkauf
    Sort|Ordnen; Sort by|Ordnen nach; Date added|Hinzugefuegt am; Modified|Geaendert
    Size|Groesse; Relevance|Bedeutung; Price: low to high|Preis: aufsteigend
    Price: high to low|Preis: absteigend; Best rated|Beste Bewertung; Filter|Auswahl
    Filter results|Treffer auswaehlen; Show results|Treffer zeigen; No results|Keine Treffer
    No results found|Keine Treffer gefunden; Brand|Marke; Price|Preis; Rating|Bewertung
    Quantity|Menge; Add to cart|In den Wagen; Added to cart|Liegt im Wagen
    Cart|Wagen; Shopping cart|Einkaufswagen; Checkout|Zur Kasse; Place order|Bestellen
    Order placed|Bestellt; Order details|Bestellung; My orders|Meine Bestellungen
    No orders yet|Noch keine Bestellungen; Cancel order|Bestellung stornieren
    Cancel order?|Bestellung stornieren?; Keep order|Bestellung behalten
    Order cancelled|Storniert; My wishlist|Mein Wunschzettel; Wishlist|Wunschzettel
    Added to wishlist|Auf dem Wunschzettel; Removed from wishlist|Vom Wunschzettel genommen
    Removed from cart|Aus dem Wagen genommen; Your cart is empty|Der Wagen ist leer
    Your wishlist is empty|Der Wunschzettel ist leer; Promo code|Gutschein
    Code applied|Gutschein eingeloest; This code is not valid|Dieser Gutschein gilt nicht
    Delivery|Lieferung; Payment|Bezahlung; Deliver to|Liefern an; Total|Summe
    Subtotal|Zwischensumme; Customer reviews|Meinungen; About this item|Ueber diesen Artikel
    Similar items|Aehnliche Artikel; Deals of the day|Angebote des Tages
    Categories|Sparten; Express|Eilig; Standard|Ueblich; Buy again|Noch einmal kaufen
    Cash on delivery|Nachnahme; Free|Kostenlos; Delivered|Geliefert; Shipped|Unterwegs
    Processing|In Arbeit; Details|Einzelheiten; Sponsored|Anzeige; Ad|Werbung
    Bookmarks|Lesezeichen; Add bookmark|Lesezeichen setzen
    Bookmark added|Lesezeichen gesetzt; Bookmark removed|Lesezeichen entfernt
    Remove bookmark|Lesezeichen entfernen; Remove bookmark?|Lesezeichen entfernen?
    History|Verlauf; Clear history|Verlauf leeren; Clear history?|Verlauf leeren?
    History cleared|Verlauf geleert; Downloads|Geladenes; Download page|Seite laden
    Page downloaded|Seite geladen; Find in page|Auf der Seite finden; New tab|Neuer Tab
    New private tab|Neuer privater Tab; Private tab|Privater Tab; Desktop site|Grosse Ansicht
    Mobile site|Kleine Ansicht; Link copied|Adresse kopiert
    No bookmarks yet|Noch keine Lesezeichen; No history|Kein Verlauf; Menu|Auswahlliste
    Photos|Fotos; Albums|Alben; Album|Fotoalbum; New album|Neues Album
    Album name|Name des Albums; Move to album|In ein Album legen; Album created|Album angelegt
    Photo deleted|Foto entfernt; Photo moved|Foto verschoben; Delete photo?|Foto entfernen?
    Set wallpaper|Als Hintergrund; Wallpaper|Hintergrund; Wallpaper set|Hintergrund gesetzt
    Photo|Foto; Square|Quadrat; Night|Nacht; Camera settings|Einstellungen der Kamera
    Grid lines|Gitterlinien; Shutter sound|Ausloeseton; Video saved|Video gespeichert
    Folder|Verzeichnis; New folder|Neuer Ordner; Folder name|Name des Ordners
    Folder created|Ordner angelegt; Delete file?|Datei entfernen?; File deleted|Datei entfernt
    File renamed|Datei umbenannt; Rename file|Datei umbenennen; Documents|Dokumente
    Pictures|Bilder; No files found|Keine Dateien gefunden
    This folder is empty|Der Ordner ist leer; Storage|Speicherplatz
    Songs|Lieder; Artists|Kuenstler; Playlists|Listen; Playlist|Abspielliste
    New playlist|Neue Liste; Playlist name|Name der Liste; Playlist created|Liste angelegt
    Add to playlist|Zur Liste; Go to artist|Zum Kuenstler; Now playing|Laeuft gerade
    Nothing is playing|Es laeuft nichts; Songs and artists|Lieder und Kuenstler
    Library|Bibliothek; Subscriptions|Abos; Subscribe|Abonnieren; Subscribed|Abonniert
    Watch later|Spaeter ansehen; Liked videos|Gefaellt mir; Show more|Mehr zeigen
    Directions|Route; Drive|Auto; Walk|Zu Fuss; Transit|Bus und Bahn; Cycle|Fahrrad
    Saved|Gemerkt; Explore|Entdecken; Nearby|In der Naehe; Your location|Ihr Standort
    My location|Mein Standort; Restaurants|Gaststaetten; Hotels|Unterkuenfte; Parks|Gruenanlagen
    Museums|Ausstellungen; Pharmacies|Apotheken; Banks|Geldinstitute; Gas|Tanken
    Forecast|Vorhersage; Weather settings|Einstellungen des Wetters
    Temperature units|Einheit der Temperatur; City removed|Stadt entfernt
    Remove city?|Stadt entfernen?; Humidity|Feuchtigkeit; Wind|Windstaerke; Rain|Regen
    Sunny|Sonnig; Cloudy|Bewoelkt; Snow|Schnee; Thunderstorm|Gewitter
    Next hours|Naechste Stunden; Next days|Naechste Tage; Chance of rain|Regenrisiko
    Network & internet|Netzwerk und Internet; Connections|Verbindungen; Wi-Fi|WLAN
    Use Wi-Fi|WLAN verwenden; Use Bluetooth|Bluetooth verwenden; Airplane mode|Flugmodus
    Mobile data|Mobile Daten; Data saver|Datensparen; Display|Anzeigeflaeche
    Brightness|Helligkeit; Brightness level|Helligkeitsstufe; Dark theme|Dunkle Farben
    Adaptive brightness|Helligkeit anpassen; Font size|Schriftgroesse
    Screen timeout|Bildschirm aus nach; Auto-rotate|Automatisch drehen
    Night light|Nachtlicht; Sound & vibration|Toene; Media volume|Medienlautstaerke
    Ring volume|Klingellautstaerke; Alarm volume|Weckerlautstaerke
    Phone ringtone|Klingelton; Touch sounds|Tastentoene; Vibrate for calls|Bei Anrufen vibrieren
    Do not disturb|Nicht stoeren; Notifications|Mitteilungen
    No notifications|Keine Mitteilungen; App notifications|Mitteilungen der Apps
    Battery|Akku; Battery saver|Akku sparen; Security & privacy|Sicherheit
    Security|Schutz; Screen lock|Bildschirmsperre; Location|Standort
    Use location|Standort verwenden; Permissions|Rechte; App permissions|Rechte der Apps
    Accessibility|Bedienungshilfen; Live captions|Untertitel; Large text|Grosse Schrift
    Color inversion|Farbumkehr; Magnification|Vergroesserung; System|Betriebssystem
    Language|Sprache; System language|Systemsprache; Keyboard|Tastatur
    Date & time|Datum und Uhrzeit; Use 24-hour format|24 Stunden
    Set time automatically|Zeit automatisch stellen; About phone|Ueber das Telefon
    Device name|Geraetename; Android version|Android-Fassung; Build number|Baunummer
    Model|Modell; Apps|Anwendungen; All apps|Alle Apps; App info|Ueber die App
    Force stop|Beenden erzwingen; Clear data|Daten leeren; Clear data?|Daten leeren?
    Flashlight|Taschenlampe; Saved devices|Bekannte Geraete; Paired devices|Gekoppelte Geraete
    Available devices|Geraete in der Naehe; Available networks|Netze in der Naehe
    Connected|Verbunden; Paired|Gekoppelt; Password|Passwort; Wrong password|Falsches Passwort
    Network details|Ueber das Netz; Device details|Ueber das Geraet; Off|Aus
    Small|Klein; Default|Normal; Large|Gross; Largest|Am groessten; Recent apps|Letzte Apps
    No recent apps|Keine letzten Apps; Home|Start-Seite; Navigate up|Nach oben
    Status bar|Statusleiste; More options|Weitere Moeglichkeiten; Loading...|Laedt...
    Share your connection|Verbindung teilen; Nothing found|Nichts gefunden
"""


def _words() -> dict[str, str]:
    pairs = (pair.split("|") for pair in _TABLE.replace("\n", ";").split(";") if pair.strip())
    return {english.strip(): german.strip() for english, german in pairs}


GERMAN: Mapping[str, str] = MappingProxyType(_words())
"""From the words that apps are written with to those that the screen shows."""
