"""Sentences to be spoken, made by a small grammar with a seed.

`training_sentences` and `held_out_sentences` share words but no sentence; the held-out ones also
contain hand-written sentences that training never sees.
"""

import random

NAMES = """Anna Bob Pam Maya Peter Beth Victor Fiona Thomas Judith Charlie Sheila George Zoe Hugo Wendy
Ravi Yusuf Olga Ingrid Marcus Abby Philip Mabel Ruth Leo Gwen Omar Chloe Barbara""".split()

PEOPLE = """my mother|my brother|the baker|the farmer|our neighbour|a young woman|the old man|the teacher|
the pilot|both boys|the whole family|her uncle|his grandmother|the plumber|the barber|a famous painter|
the bus driver|a small child|the judge|every member|the shopkeeper|a thoughtful friend|the village doctor|
our best player|the jazz band|a quiet stranger|the poor fisherman|
the maths club""".replace("\n", "").split("|")

THINGS = """a big map|the blue box|five apples|a cup of tea|the broken lamp|some fresh bread|
a purple umbrella|
the heavy book|a wooden bowl|the garden gate|a pair of shoes|the yellow bus|a loaf of bread|an orange|
the mirror|a bottle of milk|the piano|a cheap watch|the huge pumpkin|a thick brush|the south window|
a bag of potatoes|the leather chair|a round table|the empty jar|a white shirt|fifty pounds|the old camera|
a bunch of roses|the measuring tape|a bumpy road|the mouse|the vase|a feather|the church bell|a green frog|
three thin threads|the job|a push button|the oil|a toy boat|the joyful noise|the moon|a wool jumper|
the judge's
 badge|a garage|the treasure|some mushrooms|the bathroom|a pebble|
two cupboards""".replace("\n", "").split("|")

PLACES = """in the kitchen|on the beach|at home|near the bridge|by the river|above the clouds|in the museum|
under the table|behind the barn|at the market|along the path|in the deep forest|on the roof|at school|
outside the shop|in the north of Europe|beside the pool|up the hill|in a warm room|across the street|
beyond the valley|from the balcony|in the library|on the farm""".replace("\n", "").split("|")

TIMES = """this morning|after lunch|every day|on Monday|before breakfast|in the summer|late at night|
yesterday|at half past three|for an hour|once a month|all through the week|tomorrow|in a moment|
on Thursday the fourth|around noon|just now|twice a year""".replace("\n", "").split("|")

PAST = """found bought washed dropped painted kept moved carried borrowed watched brought showed measured
pushed pulled fixed opened chose weighed hid stopped shook caught cleaned remembered forgot threw gave
described enjoyed touched wrapped""".split()

PLAIN = """find buy wash drop paint keep move carry borrow watch bring show measure push pull fix open choose
weigh hide stop shake catch clean remember forget throw describe enjoy touch wrap""".split()

ADJECTIVES = """happy tired beautiful boring bright cheap comfortable empty foggy gloomy huge important jumpy
lovely mild noisy obvious peaceful quiet rough smooth thirsty useful valuable wet warm young zealous awful
amazing broad brief purple bumpy""".split()

SUBJECTS = """the weather|the music|that film|the soup|this job|her voice|the view|our plan|the journey|
the bedroom|the exam|my bicycle|his opinion|the shop|the party|the problem|the pavement|the future|
the theatre|the puppy""".replace("\n", "").split("|")

VERBS_ING = """walking through the park|making bread|playing football|thinking about you|reading a poem|
washing the dishes|building a boat|singing in the choir|feeding the birds|jumping over puddles|
choosing a present|looking for mushrooms|growing tomatoes|sweeping the porch|mopping up""".replace(
    "\n", "").split("|")

NUMBERS = """two three four five seven eight nine eleven twelve thirteen fifteen twenty thirty forty-six
fifty-seven ninety eighty-four a hundred""".replace("a hundred", "hundred").split()

OPENERS = """Well|Oh|Of course|Maybe|Honestly|You know|I think|Sure|Perhaps|Actually|By the way|
To be fair|As far as I know|Yes|No|Hmm""".replace("\n", "").split("|")

RICH = """My mother baked five big blueberry muffins before breakfast.
Bob and Pam bumped the lamp behind the broom.
Which watch would you wish to wash with warm water?
Five foxes vanished from the valley very fast.
Sue sold seven silver scissors to six sisters.
Thirty thousand thoughtful brothers gathered there together.
The boy enjoyed the noise of the oyster boats.
Go slow over the low road, or you will drop the load.
You should choose the blue shoes from the group.
Please keep me near the green trees each evening.
Put the apple and the pepper upon the upper step.
The pump by the barn must be mended by a member of the club.
A humble beggar rubbed a copper penny with his thumb.
The measure of pleasure is a treasure to the usual judge.
George judged the large orange to be a strange colour.
Charlie chased the cheap chicken into the church kitchen.
Three thin thieves thought a thousand thoughts.
That father and this mother bathe with their other brother.
How loud a crowd can shout about a brown cow.
Eight great apes ate grapes by the lake on the same day.
I might try to fly a kite by the white light tonight.
Roy pointed the toy at the boiling oil.
Young Hugh used a few new views of the museum.
Long songs bring strong young singers along.
Rory's rural brewery rarely ran dry.
Little Lily laid a yellow lily on the hill.
Ask what that bad cat and the black rat have had.
Ed said ten men went to bed, then left instead.
It is a bit thin, this six inch pin.
Father calmly parked the car far from the garden.
Tall Paul caught a small ball in the hall.
Look, the cook took a good book by the brook.
Sunny bugs love to run under the mud.
The early bird heard the first word of the nurse.
Mom, maybe Bobby might bump my bumper.
Pip popped up, but Barb stepped back.
Move the mop from the map to the lamp.
Every evening Eve even leaves Steve's beans.
Vivid waves of velvet wove over the very wide river.
Zebras zigzag through a zoo in the breezy haze.
Hello, I'm happy to have helped him home.
Wendy was watching the weather while we were away.
Kick the cake back to the cook, quick.
Get a bigger egg and give it to the dog again.
Don't doubt that Dad did a decent deed today.
Tell Ted to take the train at ten to two.
No one knew nine new nuns near noon.
Shall she wash the fish and push the dish on the shelf?
""".strip().split("\n")

HELD_OUT = """Hello, I'm Luna, and it's lovely to meet you today.
What would you like to talk about this morning?
Maybe we could go for a walk along the beach.
I had a really busy day and I feel quite tired now.
Could you remind me to call my grandmother after dinner?
That sounds wonderful, tell me a little more about it.
Oh no, I'm sorry to hear that, are you okay?
My brother put a piece of paper above the map.
Because the boat was empty, we could bring both of the boxes.
People often ask me whether robots can dream.
The number you need is five, seven, zero, eight, nine, two.
Probably the best time to visit is between May and September.
It rained, so the match was moved to the public park.
Would you rather have the mushroom soup or the baked beans?
Somebody left an umbrella by the bamboo chair.
The problem is simple, but the proof is not.
Thanks for waiting, I have found three places nearby.
She smiled, picked up the phone and said nothing.
Just imagine a huge orange balloon over the village.
If you press the top button, a map appears.
He jumped over the fence and vanished through the fog.
They measure the temperature every hour.
Few things are as good as fresh bread and butter.
My favourite colour is a deep, warm purple.
How about a short story before you sleep?
You can change your mind whenever you want.
The museum of modern art opens at nine.
Both of my parents grew up in a small farming village.
I would be happy to help you with your homework.
Let me think about that for a moment.
An apple a day may not be enough.
The computer blew up because someone spilled a cup of tea.
We hope to be back from the shop before half past four.
What a beautiful view of the mountains and the moon.
Please don't forget to bring a thick jumper.
The judge asked the witness to show her badge.
Remember, practice makes perfect, so be patient.
Nobody believes the weather report any more.
Is it the first or the third of February?
Good night, sleep well, and see you tomorrow.
""".strip().split("\n")

TEMPLATES = [
    "{who} {past} {thing} {place}.",
    "{time}, {who} {past} {thing}.",
    "{who} and {name} {past} {thing} {time}.",
    "{opener}, {subject} was {adj} and {adj2}.",
    "Did {who} {plain} {thing} {place}?",
    "{name}, could you {plain} {thing} {time}?",
    "I saw {who} {ing} {place}.",
    "We were {ing} when {name} {past} {thing}.",
    "Please {plain} {thing}, then {plain2} {thing2}.",
    "{opener}, I would never {plain} {thing} {place}.",
    "There are {number} {adj} reasons to {plain} {thing}.",
    "{subject} seems {adj}, but {subject2} is {adj2}.",
    "If {name} can {plain} {thing}, why can't {who}?",
    "{who} said that {subject} would be {adj} {time}.",
    "What did {name} {plain} {place}, {thing} or {thing2}?",
    "{number} people {past} {thing} {time}.",
    "How {adj} {subject} is!",
    "{opener}, {name} is {ing} {time}.",
    "Nobody {past} {thing} {place}, so {who} {past2} {thing2}.",
    "You may {plain} {thing}, {opener_low}, but not {thing2}.",
]


def _sentence(pick):
    words = dict(
        who=pick.choice(PEOPLE), name=pick.choice(NAMES), thing=pick.choice(THINGS),
        thing2=pick.choice(THINGS), place=pick.choice(PLACES), time=pick.choice(TIMES),
        past=pick.choice(PAST), past2=pick.choice(PAST), plain=pick.choice(PLAIN),
        plain2=pick.choice(PLAIN), adj=pick.choice(ADJECTIVES), adj2=pick.choice(ADJECTIVES),
        subject=pick.choice(SUBJECTS), subject2=pick.choice(SUBJECTS), ing=pick.choice(VERBS_ING),
        number=pick.choice(NUMBERS), opener=pick.choice(OPENERS))
    words["opener_low"] = words["opener"][0].lower() + words["opener"][1:]
    text = pick.choice(TEMPLATES).format(**words)
    return text[0].upper() + text[1:]


def training_sentences(count, seed):
    """`count` sentences; the hand-written ones come first, in a shuffled order."""
    pick = random.Random(seed)
    found = list(RICH)
    pick.shuffle(found)
    seen = set(found)
    while len(found) < count:
        text = _sentence(pick)
        if text not in seen:
            seen.add(text)
            found.append(text)
    found = found[:count]
    pick.shuffle(found)
    return found


def held_out_sentences(count, seed=9001):
    """`count` sentences that `training_sentences` does not contain: hand-written, then from the grammar
    with a vocabulary order of its own."""
    pick = random.Random(seed)
    found = list(HELD_OUT)[:count]
    while len(found) < count:
        found.append(_sentence(pick))
    return found


if __name__ == "__main__":
    for line in training_sentences(20, 1):
        print(line)
