"""The words of the phone's world: people, places, media, messages, shops and facts.

Plain data, the same on every import. Every name or title stays unique, within its pool and across
pools, after lower-casing and dropping punctuation; so a task can tell any two of them apart.
"""

from distrl.devices.phone.content.cities import CITIES, City
from distrl.devices.phone.content.facts import FACTS, Fact
from distrl.devices.phone.content.media import ALBUMS, FILES, SONGS, VIDEOS, File, Song, Video
from distrl.devices.phone.content.messages import MAILS, TEXTS, Mail
from distrl.devices.phone.content.networks import BLUETOOTH_DEVICES, WIFI_NETWORKS
from distrl.devices.phone.content.notes import NOTES, Note
from distrl.devices.phone.content.people import CONTACT_GROUPS, PEOPLE
from distrl.devices.phone.content.places import PLACES, Place
from distrl.devices.phone.content.planning import ALARM_LABELS, EVENTS, REMINDERS
from distrl.devices.phone.content.products import PRODUCTS, Product
from distrl.devices.phone.content.shops import PROMO_CODES, REVIEWS, SHOPS, Shop
from distrl.devices.phone.content.store_apps import STORE_APPS, StoreApp
from distrl.devices.phone.content.web import ARTICLES, QUERIES, SITES, Article, Site

__all__ = [
    "ALARM_LABELS",
    "ALBUMS",
    "ARTICLES",
    "BLUETOOTH_DEVICES",
    "CITIES",
    "CONTACT_GROUPS",
    "EVENTS",
    "FACTS",
    "FILES",
    "MAILS",
    "NOTES",
    "PEOPLE",
    "PLACES",
    "PRODUCTS",
    "PROMO_CODES",
    "QUERIES",
    "REMINDERS",
    "REVIEWS",
    "SHOPS",
    "SITES",
    "SONGS",
    "STORE_APPS",
    "TEXTS",
    "VIDEOS",
    "WIFI_NETWORKS",
    "Article",
    "City",
    "Fact",
    "File",
    "Mail",
    "Note",
    "Place",
    "Product",
    "Shop",
    "Site",
    "Song",
    "StoreApp",
    "Video",
]
