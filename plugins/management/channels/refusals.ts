/** Errors of what is not there. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export function noSuchChannel(): never {
  throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
}

/** A tag lives by its channels: one that no channel has is misspelt. */
export function noSuchTag(): never {
  throw new Refusal('gone_missing', { what: 'tag', param: 'tag' })
}
