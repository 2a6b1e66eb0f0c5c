/** Counts by a word of a set that is bounded, whatever comes: what is too much is counted as `other`. */

const wordsMax = 100

export class Tally {
  private readonly counts = new Map<string, number>()

  add(word: string, amount = 1): void {
    const before = this.counts.get(word)
    if (before !== undefined) this.counts.set(word, before + amount)
    else if (this.counts.size < wordsMax || word === 'other') this.counts.set(word, amount)
    else this.add('other', amount)
  }

  entries(): Iterable<readonly [word: string, count: number]> {
    return this.counts
  }
}
