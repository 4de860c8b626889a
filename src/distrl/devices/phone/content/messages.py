"""Chat messages and mails."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import phrases, records


@dataclass(frozen=True, slots=True)
class Mail:
    """Subject and body of a mail, without people or dates."""

    subject: str
    body: str


TEXTS = phrases("""
    running ten minutes late; can you call me later; see you at the station
    thanks for dinner last night; did you feed the cat; the meeting moved to three
    i left my keys inside; happy birthday to you both; what time does it start
    i will bring the salad; please send me the address; the package arrived today
    are we still on tonight; my flight was delayed again; congratulations on the new job
    can i borrow your ladder; the kids are asleep now; we could meet at the fountain
    i found your blue scarf; dinner is in the oven; could you water my plants
    the train is really packed; good luck with the exam; we need more paper towels
    save me a good seat; i am parked out back; how was the dentist; the movie was surprisingly good
    call mom when you land; do you want some soup; the wifi is down again
    i booked the corner table; remember to bring your boots; see you in two weeks
    the cake turned out great; who is driving on sunday; i can pick you up; let me know when ready
    the store closes at nine; we ran out of coffee; bring a jacket tonight; the neighbors say hello
    i just finished the report; can we talk about tomorrow; your sister called me earlier
    the game starts at seven; please turn off the heater; i love the new haircut
    the plumber comes on friday; send me the holiday pictures; we are waiting by gate six
    tell him i said hi; the dog needs a walk; i will be home soon; did you lock the door
    that was a lovely evening; maybe next weekend then; the recipe needs two lemons
    i got the concert tickets; where did you park the car; no rush take your time
    the bus never showed up; i owe you a lunch; sorry i missed your call; can you review my slides
    the baby is finally smiling; we should visit the coast; my battery is almost dead
    try the bakery on fifth; the key is under the mat; i signed us up already
    your jacket is still here; the printer works again now; please pick up some bread
    the view here is amazing; how do i reset this thing; the doctor said all good
    we can split the bill evenly; i am stuck in traffic; the garden looks so green
    could we start an hour later; my team won last night; the cat knocked it over
    i will text you after; do we have any candles; the tickets are in my bag
    meet me near the clock; that joke made my day; we moved the couch upstairs
    i need your honest opinion; the lake is frozen solid; can you cover my shift
    the plan works for me; please pack the sunscreen; i made too much pasta
    the power just came back; is the pool open today; your package is with me
    we should try the ramen place; the baby shower is saturday; i am learning the cello
    the road is closed ahead; we saw a shooting star; could you send it again
    the tomatoes are finally ripe; i will take the early ferry; the landlord fixed the sink
    are you free for tea; my phone fell in water; the choir sounded so good
    we leave at dawn tomorrow; i forgot the umbrella again; thanks for walking the dog
    the soup needs more salt; who won the quiz yesterday; can you read this aloud
    the heating is working now; i am proud of you; we go hiking on monday; the paint is still wet
    grandpa liked your letter; we found a cheaper hotel; the puppy learned to sit
    i will join by video
""")

_MAILS = """
    Invoice for April|Please find the invoice for April attached.
    Trip itinerary attached|Here is the plan for our five days away.
    Question about delivery|My parcel has not arrived yet.
    Weekly status update|The build is stable and tests pass.
    Lunch on Thursday|Would noon at the usual place suit you?
    Lost umbrella|I think I left my umbrella in room six.
    Rent receipt|Thank you, the rent arrived on time.
    Updated floor plan|The new plan moves the printer corner.
    Volunteer schedule|You are on the Saturday morning shift.
    Membership renewal|Your membership ends next month.
    Notes from workshop|The main points are listed below.
    Change of venue|We will meet in the east hall instead.
    Holiday photos|The best pictures from the lake are here.
    Request for quote|Could you price forty oak panels?
    Application received|We have your application and will reply soon.
    Broken elevator|The elevator is out of order until Monday.
    Parking permit|Your permit is ready at the front desk.
    Reading group choice|We picked the novel about the lighthouse.
    New office hours|From June we open at eight.
    Tax documents ready|Your yearly forms can be downloaded now.
    Guest list draft|Please check the names before Friday.
    Catering options|The vegetarian menu is the cheapest one.
    Return instructions|Put the item back in its original box.
    Warranty claim|The hinge broke after two weeks.
    Conference badge|Collect your badge at the north entrance.
    Speaker confirmation|We are glad you will give the keynote.
    Survey results|Most people prefer shorter meetings.
    Water shutoff notice|No water on Tuesday from nine to noon.
    School newsletter|The spring fair takes place in May.
    Field trip form|Please sign the form by Wednesday.
    Swimming lesson places|Two places are left in the beginner course.
    Recital program|The children play in order of age.
    Garden plot offer|Plot nine by the fence is free.
    Seed order shipped|Your seeds are on the way.
    Bee keeping course|Bring gloves and a light jacket.
    Repair estimate|Replacing the belt costs ninety dollars.
    Test drive booking|The green car is reserved for you at ten.
    Insurance policy change|The new policy covers bicycles.
    Claim number inside|Your claim number is 77120.
    Hotel booking confirmed|Two nights with breakfast are booked.
    Early check in|The room will be ready at eleven.
    Ferry ticket|Show this message at the pier.
    Luggage found|Your gray suitcase was found.
    Visa checklist|Bring two photos and the form.
    Exchange student arrival|She lands on Sunday at four.
    Host family letter|We look forward to your visit.
    Homework extension|You may hand it in on Monday.
    Lab results|All values are in the normal range.
    Appointment moved|Your visit is now on the ninth.
    Prescription ready|You can collect it after noon.
    Physio exercises|Do the knee bend ten times daily.
    Gym locker policy|Lockers are emptied every night.
    Race number|You start in the second wave.
    Training plan|Run slowly three times a week.
    Team photo day|Wear the blue jersey on Friday.
    Match report|We lost narrowly but played well.
    Referee needed|Can anyone whistle the early match?
    Club dinner|Dinner follows the general meeting.
    Minutes of council|The bridge repair was approved.
    Street fair permit|The permit covers both lanes.
    Noise complaint|Music was loud until two last night.
    Recycling guide|Glass goes in the green bin.
    Power bill|Your bill is lower than last month.
    Solar panel offer|Six panels would fit on your roof.
    Window order delay|The frames arrive a week later.
    Kitchen measurements|The counter is three meters long.
    Paint samples|We left three shades at the door.
    Key handover|I can give you the keys at six.
    Viewing on Saturday|The flat can be seen at ten.
    Lease questions|Are pets allowed in the building?
    Deposit returned|Your deposit was sent back today.
    Moving company quote|Two movers and a van cost 380.
    Address change|Our new address is 14 Finch Road.
    Subscription paused|Deliveries resume in September.
    Vegetable box|This week: beets, kale and plums.
    Coffee sample|Tell us how you like the roast.
    Recipe you wanted|The secret is a spoon of vinegar.
    Cake order|Lemon cake for twelve people.
    Table for eight|We reserved the terrace for you.
    Feedback on menu|The dessert was too sweet for us.
    Staff rota|The late shift starts at four.
    Holiday request|I would like the last week of July.
    Sick note|I have a fever and stay home.
    Welcome aboard|Your first day starts with a tour.
    Laptop pickup|Your computer waits at the help desk.
    Password policy|Use at least fourteen characters.
    Server maintenance|The site is down on Sunday night.
    Bug report|The save button does nothing.
    Release checklist|Two items are still open.
    Design feedback|The icons feel a bit heavy.
    Logo proposals|Three drafts are in the folder.
    Contract for signature|Please sign on page four.
    Budget approval|The travel budget was approved.
    Expense question|Is the taxi covered as well?
    Quarterly numbers|Sales grew by six percent.
    Board agenda|The agenda has five points.
    Farewell for Ines|Please write a line in the card.
    Birthday collection|We are buying a garden bench.
    Reunion dates|Which weekend suits everyone?
    Family tree|I found a letter from 1912.
    Old photographs|Do you know the man on the left?
    Recipe book project|Send two recipes each by May.
    Wedding invitation|We marry by the sea in August.
    Dress fitting|The fitting takes about an hour.
    Flower arrangement|Sunflowers are in season then.
    Band availability|We are free on the twelfth.
    Song list|Please avoid slow songs early on.
    Rehearsal space|The cellar is ours on Mondays.
    Concert tickets inside|Doors open at half past seven.
    Stage plan|We need two microphones on the left.
    Script changes|Scene four is much shorter now.
    Casting news|You got the part of the baker.
    Exhibition opening|Drinks are served from six.
    Framing prices|The oak frame costs forty dollars.
    Camera repair|The shutter has been replaced.
    Telescope night|Dress warmly and bring a torch.
    Hike meeting point|We start at the lower car park.
    Weather warning|Strong wind is expected on the ridge.
    Hut reservation|Four beds are held for you.
    Map corrections|The path by the dam is closed.
    Rescue course|Learn first aid for the mountains.
    Puppy adoption|Biscuit is ready for a new home.
    Vet reminder|A booster shot is due in May.
    Missing cat|Please look in your sheds.
    Stable visit|The children may feed the pony.
"""

MAILS = tuple(Mail(subject, body) for subject, body in records(_MAILS))
