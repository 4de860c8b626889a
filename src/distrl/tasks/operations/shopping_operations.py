"""What can be done in the web shops, by the part of the shop that it is done in.

Parts of a shop stand where apps stand elsewhere: a chain never has two operations of one part. What
one does beside shopping is in another app.
"""

from __future__ import annotations

SHOPPING = """
    cart      add_to_cart          shop buy
    cart      add_several          shop buy
    cart      add_size             shop
    cart      add_color            shop
    cart      add_two              shop
    cart      change_quantity      shop buy
    cart      remove_item          shop buy
    cart      remove_color         shop
    cart      empty_cart           shop buy
    cart      apply_code           shop
    cart      check_out            shop buy
    cart      check_out_speed      shop
    cart      check_out_address    shop
    wishes    add_wish             shop buy
    wishes    remove_wish          shop buy
    wishes    remove_colored_wish  shop
    orders    cancel_order         shop buy
    looking   search_shop          shop last
    looking   open_product         shop last
    looking   open_first           shop last
    looking   open_cheapest        shop last
    looking   sort_results         shop last
    looking   filter_brand         shop last
    looking   filter_price         shop last
    looking   filter_rating        shop last
    looking   ask_price            shop last
    looking   ask_rating           shop last
"""
BESIDE_SHOPPING = """
    messages  send_message         buy
    todo      add_task             buy
    todo      finish_task          buy
    notes     create_note          buy
    calendar  create_event         buy
"""
"""Operations of the general suite that go with shopping."""
