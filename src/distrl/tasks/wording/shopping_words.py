"""Words for the shopping suite's trained templates."""

from __future__ import annotations

LOOKING = """
go_to_shop @ Browser
  do       go to {shop} / open {shop} / visit {shop} / open the shop {shop}
  bit      {shop} / {shop} shop
  new do   head over to {shop} / pull up {shop} / check out what {shop} looks like
  new bit  {shop} website
search_shop @ Browser
  do       search {shop} for {product} / search for {product} at {shop}
  do       look for {product} on {shop}
  do       go to {shop} and search for {product}
  bit      {product} on {shop} / {shop} {product}
  ask      does {shop} have the {product}?
  new do   hunt for {product} on {shop} / run a search for {product} at {shop}
  new ask  can i get the {product} at {shop}?
  new bit  find {product} @ {shop}
open_first @ Browser
  do       search {shop} for {line} and open the first result
  do       find {line} on {shop} and open the first one
  do       go to {shop}, search for {line} and tap the first entry
  bit      first {line} on {shop}
  new do   look for {line} at {shop} and click whatever comes up first
  new do   hit the top {line} result on {shop}
  new bit  {shop} {line} top hit
open_product @ Browser
  do       open {product} on {shop} / show me {product} on {shop}
  do       go to the page of {product} on {shop}
  bit      {product} page on {shop}
  new do   pull up the {product} at {shop} / take me to the {product} on {shop}
  new bit  {shop}: {product} details
open_cheapest @ Browser
  do       open the cheapest {brand} product at {shop}
  do       find the cheapest thing by {brand} on {shop}
  do       search {shop} for {brand} and open the cheapest one
  bit      cheapest {brand} on {shop}
  ask      what's the cheapest {brand} product on {shop}?
  new do   get me the best priced {brand} item at {shop}
  new do   open whatever {brand} sells for the least on {shop}
  new bit  {shop} lowest price {brand}
open_colored @ Browser
  do       find the {color} {line} on {shop} / search {shop} for {line} and open the one in {color}
  do       open the {color} {line} on {shop}
  bit      {color} {line} on {shop}
  new do   pull up the {line} that is {color} at {shop}
  new do   get the {color} version of {line} on {shop} up
  new bit  {shop} {line} in {color}
open_look @ Browser
  do       open the {color} {kind} on the front page of {shop}
  do       tap the {color} {kind} in the pictures on {shop}
  do       go to {shop} and open the {color} {kind} from its pictures
  bit      {color} {kind} on the {shop} front page
  new do   pick out the {color} {kind} you see first thing on {shop}
  new do   hit the photo with the {color} {kind} on {shop}
  new bit  {shop} front pic {color} {kind}
sort_results @ Browser
  do       search {shop} for {line} and sort by {order}
  do       sort the {line} results on {shop} by {order}
  do       find {line} on {shop} and sort it by {order}
  bit      {line} on {shop} by {order}
  new do   line up the {line} at {shop} by {order} / rank {line} on {shop} by {order}
  new bit  {shop} {line}, {order}
filter_brand @ Browser
  do       search {shop} for {kind} and filter by {brand}
  do       show me only {brand} when searching {kind} on {shop}
  do       look for {kind} on {shop}, only by {brand}
  bit      {kind} by {brand} on {shop}
  new do   limit the {kind} results at {shop} to {brand}
  new do   see every {kind} that {brand} makes on {shop}
  new bit  {shop} {kind} {brand} only
filter_price @ Browser
  do       search {shop} for {brand} and filter by the price {price}
  do       show {brand} products at {shop} for {price}
  do       look for {brand} on {shop}, price {price}
  bit      {brand} on {shop}, {price}
  new do   limit {brand} at {shop} to the price band {price}
  new do   see what {brand} has for {price} on {shop}
  new bit  {shop} {brand} {price} only
filter_rating @ Browser
  do       search {shop} for {brand} with {stars} stars and up
  do       show {brand} products at {shop} with at least {stars} stars
  do       look for {brand} on {shop} and filter by {stars} stars
  bit      {brand} on {shop}, {stars} stars and up
  new do   see just the {brand} items rated {stars} or better at {shop}
  new do   limit {brand} on {shop} to {stars} stars plus
  new bit  {shop} {brand} {stars}+ stars only
filter_color @ Browser
  do       search {shop} for {brand} and filter by {color}
  do       show me {brand} products in {color} on {shop}
  do       look for {brand} on {shop}, only in {color}
  bit      {brand} in {color} on {shop}
  new do   limit {brand} at {shop} to what is {color} / see what {brand} makes in {color} at {shop}
  new bit  {shop} {color} {brand} only
ask_price @ Browser
  do       check the price of {product} on {shop} / find out what {product} costs on {shop}
  bit      price of {product} on {shop} / {product} price {shop}
  ask      what's the price of the {product} on {shop}?
  ask      how much does the {product} cost on {shop}?
  new do   tell me what {shop} charges for the {product}
  new do   see how expensive the {product} is at {shop}
  new ask  what would the {product} set me back at {shop}?
ask_rating @ Browser
  do       check the rating of {product} on {shop} / look up how {product} is rated on {shop}
  bit      rating of {product} on {shop}
  ask      what's the rating of the {product} on {shop}?
  new do   see how many stars people give the {product} at {shop}
  new do   find out how well the {product} scores on {shop}
  new ask  is the {product} any good according to {shop}?
ask_status @ Browser
  do       check the status of my {product} order on {shop} / look up my {product} order on {shop}
  bit      {product} order status on {shop}
  ask      what's the status of my order of {product} on {shop}?
  new do   track the {product} i got from {shop} / see how far my {product} from {shop} is
  new ask  when will my {product} from {shop} get here?
"""

BUYING = """
add_to_cart @ Browser
  do       add {product} to my cart on {shop} / put {product} in the cart at {shop}
  do       add the {product} to my {shop} cart
  do       go to {shop} and add {product} to the cart
  bit      {product} in the {shop} cart
  new do   drop the {product} into my basket at {shop} / get the {product} into the cart at {shop}
  new bit  {shop} basket + {product}
add_several @ Browser
  do       add {count} {product} to my cart on {shop} / put {count} of {product} in the {shop} cart
  do       add {count} pieces of the {product} to my {shop} cart
  bit      {count} {product} in the {shop} cart
  new do   drop {count} units of {product} into my basket at {shop}
  new do   get {count} of the {product} into the cart at {shop}
  new bit  {shop} basket: {count} x {product}
add_size @ Browser
  do       add {product} size {size} to my cart on {shop}
  do       put {product} in size {size} in the {shop} cart
  do       add the {product} in {size} to my {shop} cart
  bit      {product} size {size} in the {shop} cart
  new do   drop a size {size} {product} into my basket at {shop}
  new do   get {product} into the {shop} cart, size {size}
  new bit  {shop} basket {product} ({size})
add_color @ Browser
  do       add the {color} {product} to my cart on {shop}
  do       put {product} in {color} in the {shop} cart
  do       add {product} to my {shop} cart, in {color}
  bit      {color} {product} in the {shop} cart
  new do   drop the {product} into my basket at {shop}, the {color} one
  new do   get a {color} {product} into the cart at {shop}
  new bit  {shop} basket {product} {color}
add_two @ Browser
  do       add {first} and {second} to my {shop} cart
  do       put both {first} and {second} in the cart on {shop}
  do       add {first} to my cart on {shop} and {second} too
  bit      {first} and {second} in the {shop} cart
  new do   drop {first} plus {second} into my basket at {shop}
  new do   get {first} as well as {second} into the cart at {shop}
  new bit  {shop} basket: {first}, {second}
change_quantity @ Browser
  do       set the quantity of {product} in my {shop} cart to {count}
  do       change {product} in the {shop} cart to {count}
  do       make it {count} of {product} in my {shop} cart
  bit      {count} instead of one {product} in the {shop} cart
  new do   bump {product} up to {count} in my basket at {shop}
  new do   go up to {count} pieces of {product} in the cart at {shop}
  new bit  {shop} basket {product} quantity {count}
remove_item @ Browser
  do       remove {product} from my {shop} cart / delete {product} from the cart on {shop}
  do       take {product} out of my {shop} cart
  bit      no {product} in the {shop} cart
  new do   kick the {product} out of my basket at {shop}
  new do   drop the {product} from the cart at {shop}
  new bit  {shop} basket minus {product}
remove_color @ Browser
  do       remove the {color} {product} from my {shop} cart
  do       delete the {product} in {color} from the cart on {shop}
  do       take the {color} {product} out of my {shop} cart
  bit      no {color} {product} in the {shop} cart
  new do   kick the {color} {product} out of my basket at {shop}
  new do   drop {product} in {color} from the cart at {shop}
  new bit  {shop} basket minus the {color} {product}
empty_cart @ Browser
  do       empty the cart on {shop} / empty my {shop} cart
  do       delete everything in the cart on {shop}
  bit      empty {shop} cart
  new do   wipe my basket at {shop} / toss all that is in my cart at {shop}
  new bit  nothing left in the {shop} basket
show_cart @ Browser
  do       open my cart on {shop} / show me the cart on {shop} / go to my {shop} cart
  bit      {shop} cart / my cart on {shop}
  ask      what's in my cart on {shop}?
  new do   pull up the basket at {shop} / have a look into my {shop} basket
  new ask  what did i put in the basket at {shop}?
apply_code @ Browser
  do       apply the code {code} in my {shop} cart / use the promo code {code} on {shop}
  do       enter the code {code} in the {shop} cart
  bit      code {code} on {shop} / promo {code} for {shop}
  new do   redeem the voucher {code} at {shop} / get the discount {code} onto my basket at {shop}
  new bit  voucher {code} @ {shop}
add_wish @ Browser
  do       add {product} to my {shop} wishlist / put {product} on the wishlist at {shop}
  do       save {product} to my wishlist on {shop}
  bit      {product} on the {shop} wishlist
  new do   heart the {product} at {shop} / remember the {product} on my {shop} wish list
  new bit  {shop} wishes + {product}
remove_wish @ Browser
  do       remove {product} from the wishlist on {shop} / take {product} off my {shop} wishlist
  do       delete {product} from my {shop} wishlist
  bit      no {product} on the {shop} wishlist
  new do   strike the {product} from my wishes at {shop} / unheart the {product} at {shop}
  new bit  {shop} wishes minus {product}
remove_colored_wish @ Browser
  do       remove the {color} {product} from the wishlist on {shop}
  do       take the {product} in {color} off my {shop} wishlist
  do       delete the {color} {product} from my {shop} wishlist
  bit      no {color} {product} on the {shop} wishlist
  new do   strike the {color} {product} from my wishes at {shop}
  new do   unheart the {product} in {color} at {shop}
  new bit  {shop} wishes minus {color} {product}
check_out @ Browser
  do       buy the {product} in my {shop} cart / order the {product} from my cart on {shop}
  do       check out the {product} on {shop}
  bit      order {product} from the {shop} cart
  new do   complete the purchase of the {product} in my basket at {shop}
  new do   go through with buying the {product} on {shop}
  new bit  {shop} basket checkout {product}
check_out_speed @ Browser
  do       buy the {product} in my {shop} cart with "{speed}" delivery
  do       order the {product} on {shop} with the delivery "{speed}"
  do       check out the {product} on {shop} with "{speed}"
  bit      {product} from the {shop} cart, "{speed}"
  new do   complete the purchase of the {product} at {shop}, sent by "{speed}"
  new do   get the {product} in my {shop} basket shipped as "{speed}"
  new bit  {shop} basket checkout {product} "{speed}"
check_out_address @ Browser
  do       buy the {product} in my {shop} cart and send it to "{address}"
  do       order the {product} on {shop} to the address "{address}"
  do       check out the {product} on {shop} with the address "{address}"
  bit      {product} from the {shop} cart to "{address}"
  new do   complete the purchase of the {product} at {shop}, going to "{address}"
  new do   have the {product} in my {shop} basket shipped to "{address}"
  new bit  {shop} basket checkout {product} "{address}"
cancel_order @ Browser
  do       cancel my {product} order on {shop} / cancel the order of {product} on {shop}
  do       go to {shop} and cancel my order of {product}
  bit      cancel {product} from {shop}
  new do   call off my {product} order at {shop} / get out of the order for {product} at {shop}
  new bit  {shop} order {product} off
missing_in_cart @ Browser
  do       remove the {product} in my {shop} cart / delete the {product} from my cart at {shop}
  bit      {product} out of my {shop} cart
  new do   kick the {product} out of the basket on {shop} / drop the {product} in my cart on {shop}
  new bit  {shop} cart less {product}
missing_product @ Browser
  do       order one {product} at {shop} / buy one {product} on {shop}
  do       get one {product} into my {shop} cart
  bit      one {product} from {shop}
  new do   pick up one {product} at {shop} / shop for one {product} on {shop}
  new bit  {shop} one {product} asap
"""
