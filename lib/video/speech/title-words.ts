const list = (text: string): string[] => text.trim().split(/\s+/);

/** Returns the words of each phrase. Commas separate them. */
const phrases = (text: string): string[][] => text.split(',').map(list);

/** Sounds people make while they think. */
export const FILLERS = new Set(list('um umm uh uhh uhm er erm hm hmm mm mhm ah eh huh'));

/** Phrases that are fillers when they stand between commas. */
export const ASIDES = phrases('you know, i mean, i guess, sort of, kind of, like, well');

/** What people say before they get to the point. */
export const OPENERS = phrases(`
  okay, ok, so, well, yeah, yep, yes, yup, no, nope, right, alright, anyway, anyways, now, and, but, then,
  also, oh, wow, hey, hi, hello, like, basically, actually, honestly, obviously, literally, apparently,
  plus,
  all right, hi everyone, hi everybody, hey everyone, hey everybody, hey guys, hi guys, hello everyone,
  hi there, hello there, good morning, good afternoon, good evening, dear diary, dear journal,
  first of all, to be honest, you know, i mean, i guess, i think, i feel like, i just think, i suppose,
  i don’t know, let’s see, let me see, let me think, the thing is, it’s just that, i have to say,
  i must say, i want to say, i wanted to say, i just want to say, i just wanted to say,
  i just want to say that, i wanted to say that, i just wanted to say that, i can’t believe that,
  the big news is, the big news is that, the good news is, the good news is that, the news is,
  the news is that
`).sort((a, b) => b.length - a.length);

/** Time words that open a story without being part of it when a subject follows: "Today I …". */
export const TIME_OPENERS = phrases(`
  today, tonight, yesterday, last night, this morning, this afternoon, this evening, this week,
  earlier today, the other day
`);

export const SUBJECTS = new Set(
  list('i i’m i’ve i’d i’ll we we’re we’ve we’d we’ll he she they it my our his her their you the a an'),
);

/** Words after which a topic follows, with "about" close behind. */
export const TOPIC_VERBS = new Set(
  list('talk talking tell telling speak speaking say vent venting think thinking ramble record update story'),
);

/** Words that start a new clause. "And" and "or" only do before a subject. */
export const CLAUSE_STARTS = new Set(
  list('but because ’cause since so although though while when whereas which who unless until if then'),
);

/** Words that can't be the last of a title that was cut off. */
export const DANGLING = new Set(
  list(`a an the to of in on at for with from by about into onto over under and but or nor so as than that which who
    whose because if when while since until before after is are was were be been being am do does did has have had
    will would can could should may might must my your his her its our their this these those i we you he she they
    it i’m we’re you’re he’s she’s it’s they’re i’ve we’ve very really just like kind sort not`),
);

/** Words that say nothing about what an entry is about. */
export const COMMON = new Set(
  list(`a about above after again all almost already also always am an and another any anything are around as at away
    back be because been before being below best better big bit both but by came can can’t come comes coming could
    couldn’t day days definitely did didn’t do does doesn’t doing done don’t down each else even ever every everything
    everyone everybody feel feeling few finally first for from gave get gets getting give go goes going gonna good got
    had hadn’t happen happened happens has hasn’t have haven’t having he he’s her here here’s hers him his hope how i i’d i’ll i’m i’ve if in
    into is isn’t it it’s its just keep kept kind know last least let like little long lot lots made make makes making
    many maybe me mean might more most much must my myself need never new next nice no nobody not nothing now of off oh
    okay old on once one only onto or other our out over own people pretty probably put quite rather really right
    said same saw say saying says see seem seems she she’s should since so some somebody someone something sort still
    such sure take taking tell than that that’s the their them then there there’s these they they’re they’ve thing
    things think thinking this those though thought through time to today together tomorrow tonight too took try trying
    two under until up upon us use used very wanna want wanted was wasn’t way we we’d we’ll we’re we’ve week weeks well
    went were weren’t what what’s when where which while who whole whose why will with without won’t would wouldn’t yeah
    year years yes yesterday yet you you’d you’ll you’re you’ve your yours yourself also alright anyway anymore ago
    actually basically honestly literally stuff guess guys guy everyone hello hear talk record recording video
    camera test testing journal entry diary hi hey wow
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december morning afternoon evening night noon midnight date
    zero three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty hundred thousand second third fourth fifth sixth seventh eighth ninth tenth`),
);
