/**
 * What the error codes of this service mean: whose fault each is, and the status it amounts to. Most come with status 200. A code that is
 * not here is the upstream's, so that another channel is tried.
 */
import type { Failure } from '../../kernel/contract/failure.js'

interface ErrorCode {
  readonly code: number
  readonly blame: Failure['blame']
  readonly status: number
  readonly meaning: string
}

interface KnownCodes {
  readonly codes: readonly ErrorCode[]
  readonly source: string
  readonly read: string
}

const read = '2026-11-27'

const known: readonly KnownCodes[] = [
  {
    codes: [
      { code: 4000, blame: 'client', status: 400, meaning: 'a parameter is wrong' },
      { code: 4004, blame: 'client', status: 400, meaning: 'too many messages' },
      { code: 4005, blame: 'client', status: 400, meaning: 'the content of a message is wrong' },
      {
        code: 4006,
        blame: 'channel',
        status: 404,
        meaning: 'no such bot, or not for this account',
      },
      { code: 4008, blame: 'channel', status: 429, meaning: 'the uses of a day are used up' },
      { code: 4009, blame: 'upstream', status: 503, meaning: 'the service has too much to do' },
      { code: 4010, blame: 'client', status: 400, meaning: 'the prompt is too long for the model' },
      { code: 4011, blame: 'channel', status: 402, meaning: 'the balance of tokens is too low' },
      { code: 4012, blame: 'channel', status: 404, meaning: 'the model of the bot is gone' },
      { code: 4013, blame: 'upstream', status: 502, meaning: 'the service of the model failed' },
      { code: 4014, blame: 'client', status: 400, meaning: 'the bot cannot answer this question' },
      { code: 4015, blame: 'channel', status: 404, meaning: 'the bot is not published to the API' },
      { code: 4016, blame: 'channel', status: 409, meaning: 'the conversation has a chat already' },
      { code: 4019, blame: 'channel', status: 402, meaning: 'the account is in arrears' },
      { code: 4020, blame: 'channel', status: 429, meaning: 'more requests a minute than bought' },
      { code: 4021, blame: 'channel', status: 404, meaning: 'the workflow is not configured' },
      { code: 4022, blame: 'channel', status: 402, meaning: 'the model is in arrears' },
      { code: 4100, blame: 'channel', status: 401, meaning: 'the token is wrong' },
      { code: 4101, blame: 'channel', status: 403, meaning: 'the token may not do this' },
      { code: 4102, blame: 'channel', status: 403, meaning: 'the account looks suspicious' },
      { code: 4200, blame: 'channel', status: 404, meaning: 'no such resource' },
      { code: 4300, blame: 'client', status: 400, meaning: 'the file is empty' },
      { code: 4302, blame: 'client', status: 413, meaning: 'the file is too large' },
      { code: 4303, blame: 'client', status: 415, meaning: 'no such type of file is taken' },
      { code: 4304, blame: 'client', status: 400, meaning: 'the file is broken' },
      { code: 5000, blame: 'upstream', status: 500, meaning: 'the service failed' },
      { code: 700_012_006, blame: 'channel', status: 401, meaning: 'the token is not valid' },
    ],
    source: 'www.coze.cn/open/docs/developer_guides/coze_error_codes',
    read,
  },
  {
    // Not in the list of the vendor.
    codes: [{ code: 4028, blame: 'channel', status: 402, meaning: 'the free quota is used up' }],
    source: 'reports of users (2024-2026)',
    read,
  },
]

export const errorCodes: ReadonlyMap<string, Pick<ErrorCode, 'blame' | 'status'>> = new Map(
  known.flatMap(({ codes }) => codes.map((one) => [String(one.code), one])),
)
