/**
 * User names that could be taken for another's: scripts are not mixed (UTS 39, "highly restrictive"), and a name that looks
 * like an existing one is refused. The table holds the letters of Cyrillic, Greek and Armenian that look like Latin ones,
 * and the digits that look like letters (from Unicode's confusables.txt); other scripts are kept apart by the first rule.
 */

/** Latin is written together with the scripts of Chinese, Japanese and Korean; the others stand each by itself. */
const allowed = [
  'Latin Han Hiragana Katakana',
  'Latin Han Bopomofo',
  'Latin Han Hangul',
  ...'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew'.split(
    ' ',
  ),
  ...'Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'.split(
    ' ',
  ),
].map((scripts) => {
  const classes = `${scripts} Common Inherited`.replace(/\w+/g, '\\p{Script=$&}')
  return new RegExp(`^[${classes.replaceAll(' ', '')}]*$`, 'u')
})

/** Left of each pair what is seen, right what it is taken for. Lower case, but where the case makes the likeness. */
const looksLike = new Map(
  [
    'аa вb сc ԁd еe ғf ɡg һh іi јj кk ӏl мm пn оo рp ԛq гr ѕs тt υu ѵv ԝw хx уy ҙz',
    'αa βb ϲc εe ηn ιi κk νv οo ρp σo τt χx γy',
    'աw օo ոn սu հh զq ցg',
    'ɑa ıi ɩi ʟl ɴn ʀr ꜱs ʏy ᴏo ᴜu ᴠv ᴡw ᴢz',
    '0o 1l |l',
  ]
    .flatMap((line) => line.split(' '))
    .map((pair) => [...pair] as [string, string]),
)

/** Whether every letter is of one script, or of scripts that are written together. */
export function isOneScript(name: string): boolean {
  return allowed.some((pattern) => pattern.test(name))
}

/** What a name looks like: two names of one skeleton may be taken for each other. */
export function skeletonOf(name: string): string {
  const plain = name.normalize('NFKC').replaceAll('I', 'l').toLowerCase().normalize('NFD')
  return [...plain].map((letter) => looksLike.get(letter) ?? letter).join('')
}
