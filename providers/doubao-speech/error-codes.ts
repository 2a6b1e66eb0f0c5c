/**
 * What the error codes of this service mean: whose fault each is, and the status it amounts to. One code is for several things, which only
 * its words tell apart. A code that is not here is the upstream's, so that another channel is tried.
 */
import type { Failure } from '../../kernel/contract/failure.js'

interface ErrorCode {
  readonly code: number
  /** In the message. Absent: any. */
  readonly words?: RegExp
  readonly blame: Failure['blame']
  readonly status: number
  /** The field at fault, as the client names it. */
  readonly param?: string
  readonly meaning: string
}

interface KnownCodes {
  readonly codes: readonly ErrorCode[]
  readonly source: string
  readonly read: string
}

const read = '2026-11-27'
const client = { blame: 'client', status: 400 } as const
const busy = { blame: 'channel', status: 429 } as const

const known: readonly KnownCodes[] = [
  {
    // Not in the list of the vendor. They come first, since its words are wider.
    codes: [
      {
        code: 45_000_000,
        words: /too large/i,
        ...client,
        param: 'input',
        meaning: 'the text is too long',
      },
      { code: 45_000_001, words: /speaker/i, ...client, param: 'voice', meaning: 'no such voice' },
      { code: 45_000_001, ...client, meaning: 'a parameter is wrong' },
      { code: 45_000_010, blame: 'channel', status: 401, meaning: 'the key is wrong' },
      { code: 45_000_030, blame: 'channel', status: 403, meaning: 'this model was not bought' },
      {
        code: 45_000_292,
        ...busy,
        meaning: 'too many calls at once, or all that was bought is used up',
      },
      { code: 45_002_000, ...client, param: 'voice', meaning: 'no such voice' },
      {
        code: 45_002_001,
        ...client,
        param: 'input',
        meaning: 'nothing in the text can be read aloud',
      },
      {
        code: 55_000_000,
        words: /mismatched with speaker/i,
        ...client,
        param: 'voice',
        meaning: 'a voice of another generation',
      },
    ],
    source: 'reports of users (2026)',
    read,
  },
  {
    codes: [
      { code: 40_402_003, ...client, param: 'input', meaning: 'the text is too long' },
      { code: 45_000_000, words: /quota exceeded/i, ...busy, meaning: 'too many calls at once' },
      {
        ...{ code: 45_000_000, words: /permission denied|access denied/i },
        ...{ ...client, param: 'voice', meaning: 'no such voice, or not for this account' },
      },
      { code: 55_000_000, blame: 'upstream', status: 502, meaning: 'the service failed' },
    ],
    source: 'volcengine.com/docs/6561/1598757',
    read,
  },
]

const codes = known.flatMap((one) => one.codes)

export function meaningOf(
  reported: unknown,
  message: string,
): Pick<ErrorCode, 'blame' | 'status' | 'param'> | undefined {
  return codes.find(({ code, words }) => code === reported && (words?.test(message) ?? true))
}
