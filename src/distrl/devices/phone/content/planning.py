"""Calendar events, to-do items and alarm labels."""

from distrl.devices.phone.content.tables.reader import phrases

EVENTS = phrases("""
    Dentist appointment; Team standup; Piano lesson; Parent meeting; Yoga class; Budget review
    Dinner with Sam; Vet visit; Oil change; Flight to Oslo; Birthday party; Wedding rehearsal
    Book discussion; Swim practice; Eye exam; House viewing; Job interview; Haircut; Lunch downtown
    Board meeting; School concert; Soccer final; Farmers market; Blood donation; Art workshop
    Chess tournament; Housewarming; Tax consultation; Car inspection; Choir rehearsal
    Design critique; Project kickoff; Sprint planning; Client call; Museum tour; Theater evening
    Camping weekend; Cooking course; Language exam; Graduation ceremony; Garage sale
    Neighborhood cleanup; Quiz night; Family reunion; Picnic; Kayak rental; Marathon registration
    Physio session; Therapy hour; Roof inspection; Plumber visit; Furniture delivery
    Movie marathon; Photo shoot; Baby shower; Anniversary dinner; Charity run; Science lecture
    Poetry reading; Sailing lesson; Driving test; Passport renewal; Visa interview; Product launch
    Quarterly review; Office party; Training day; Fire drill; Hackathon; Guest lecture
    Thesis defense; Study session; Exam week; Beach day; Barbecue; Brunch with Nina; Tea tasting
    Wine evening; Pottery class; Dance recital; Jazz concert; Opera premiere; Ski weekend
    Climbing session; Bike tour; Horse riding; Fishing trip; Bird walk; Stargazing night
    Garden tour; Recycling pickup; Window washing; Allergy test; Dermatologist; Vaccination
    Orthodontist; Parent evening; Kids playdate; Puppet show; Zoo outing; Library day
    Knitting circle; Game night; Karaoke; Volunteer shift; Town council; Apartment inspection
    Lease signing; Moving day; Airport pickup; Train to Vienna; Farewell drinks; Mentor lunch
    Podcast recording; Flea market; Harvest festival; Lantern parade; Reunion call
    Retirement lunch
""")

REMINDERS = phrases("""
    Water the plants; Call the landlord; Pay the rent; Renew bus pass; Buy cat food
    Return library books; Pick up laundry; Order new glasses; Fix the faucet; Charge the drone
    Back up photos; Mail the package; Book train seats; Clean the oven; Replace air filter
    Feed the goldfish; Update the resume; Cancel gym trial; Defrost the freezer
    Check tire pressure; Sharpen kitchen knives; Print boarding pass; Sign the contract
    Submit expense report; Wash the curtains; Buy stamps; Schedule boiler check; Polish the boots
    Refill the prescription; Send thank you; Vacuum the car; Plan the menu; Wrap the presents
    Rotate the mattress; Collect dry cleaning; Trim the hedge; Download lecture slides
    Email the accountant; Review the draft; Confirm the venue; Bake banana bread; Order printer ink
    Empty the compost; Test smoke alarm; Change bed sheets; Buy birthday candles; Find the passport
    Measure the windows; Hang the mirror; Label the jars; Sort the mail; Learn ten words
    Practice the speech; Stretch every morning; Drink more water; Take vitamins; Walk the dog
    Brush the cat; Clean the aquarium; Repot the cactus; Prune the roses; Plant spring bulbs
    Mow the lawn; Sweep the porch; Salt the driveway; Stack the firewood; Repair the fence
    Oil the hinges; Patch the tent; Tune the guitar; Restring the racket; Rent a van
    Call the plumber; Compare phone plans; Unsubscribe from newsletters; Close old account
    Transfer the savings; File tax forms; Scan the receipts; Shred old papers; Check credit score
    Register to vote; Apply for permit; Visit the notary; Meet the architect; Text the babysitter
    Invite the neighbors; Choose a playlist; Borrow folding chairs; Inflate the balloons
    Buy paper plates; Chill the lemonade; Marinate the tofu; Soak the beans; Knead the dough
    Freeze the soup; Descale the kettle; Scrub the grill; Dust the bookshelf; Iron the shirts
    Mend the zipper; Donate winter coats; Recycle old phones; Replace watch battery
    Update emergency kit; Ask about refund
""")

ALARM_LABELS = phrases("""
    Wake up; Early train; Morning run; Medicine; School bus; Gym time; Nap over; Lunch break
    Pick up kids; Laundry done; Check the oven; Bread rising; Tea ready; Stand and stretch
    Drink water; Night meds; Bedtime; Sunrise walk; Market opens; Feed the baby; Puppy break
    Move the car; Parking ends; Call Grandma; Prayer time; Meditation; Eye drops; Insulin
    Weekend lie in; Work starts; Leave for work; Last ferry; Airport taxi; Checkout time
    Hockey practice; Ballet drop off; Homework hour; Screen time over; Trash night; Water the lawn
    Sprinklers off; Chicken coop; Milk the goats; Shift change; Coffee break; Power nap
    Second snooze; Exam morning; Interview day; Race day; Fishing dawn; Quiet hour; Breakfast
    Dinner prep; Soup simmer; Egg timer; Roast check; Yeast proof; Plant lights on; Radio show
    Live stream; Auction ends; Ticket sale; Match kickoff; Moonrise; Tide change; Backup tape
    Server check; Night feed; Contact lenses out; Face mask off; Hair dye rinse; Physio stretches
    Vitamin time; Violin practice; Library closes
""")
