/**
 * The catalogue of refusals: one class, one code each. Call sites name a code and fill its blanks; no prose stands
 * there. `http` and the formats make the body. Codes are the family's where it has one.
 */
import type { ErrorCode } from '../../contract/error-code.js'
import type { ClientError } from '../../contract/format.js'
import { isUnavailable } from '../service/availability.js'

interface Entry {
  readonly status: number
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'permission_error'
    | 'not_found_error'
    | 'rate_limit_error'
    | 'billing_error'
    | 'api_error'
    | 'upstream_error'
  /** `{name}` is filled from the details. */
  readonly message: string
  /** The same while an answer is being written, where `message` would not be true then. */
  readonly midway?: string
}

const invalid = (message: string, status = 400): Entry => ({
  status,
  type: 'invalid_request_error',
  message,
})

export const catalogue = {
  invalid_request: invalid('{reason}'),
  invalid_json: invalid('The request body is not valid JSON: {reason}.'),
  duplicate_key: invalid(
    'The request body holds the key "{key}" twice; it is not clear which one is meant.',
  ),
  forbidden_key: invalid('The request body holds the key "{key}", which is not allowed.'),
  too_deep: invalid('The request body is nested deeper than {limit} levels.'),
  json_too_large: invalid('The request body holds {what}; at most {limit} are taken.', 413),
  unsupported_media_type: invalid(
    'This path takes {expected}; the request declares "{given}".',
    415,
  ),
  body_too_large: invalid('The request body is larger than {limit} bytes.', 413),
  read_request_body_failed: invalid('The request body could not be read: {reason}.'),
  prompt_blocked: invalid('The upstream blocked the prompt: {reason}.'),
  request_timeout: invalid('The request body did not arrive in time.', 408),
  not_expressible: invalid('No available channel can express: {fields}.'),
  missing_credential: {
    status: 401,
    type: 'authentication_error',
    message: 'No API key was given. Send it as "Authorization: Bearer sk-…".',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is not valid.',
  },
  token_disabled: {
    status: 401,
    type: 'authentication_error',
    message: 'This API key is disabled.',
  },
  token_expired: {
    status: 401,
    type: 'authentication_error',
    message: 'This API key has expired.',
  },
  token_owner_deleted: {
    status: 403,
    type: 'permission_error',
    message: 'The owner of this API key no longer exists.',
  },
  user_disabled: {
    status: 403,
    type: 'permission_error',
    message: 'The owner of this API key is disabled.',
  },
  access_denied: {
    status: 403,
    type: 'permission_error',
    message: 'This API key may not be used from your address.',
  },
  model_not_allowed: {
    status: 403,
    type: 'permission_error',
    message: 'This API key may not use the model "{model}".',
  },
  group_not_usable: {
    status: 403,
    type: 'permission_error',
    message:
      'No group of this API key can be used any more. Its owner chooses others in its routing policy; where it follows the account, an admin gives the account another group.',
  },
  channel_pin_denied: {
    status: 403,
    type: 'permission_error',
    message: "Only an admin's API key may name a channel.",
  },
  insufficient_user_quota: {
    status: 403,
    type: 'billing_error',
    message:
      'The balance does not cover what this request may cost. Limit its output tokens, or top up.',
    midway:
      'The balance does not cover what the answer cost. It is withheld, and what was set aside for it is charged. Limit its output tokens, or top up.',
  },
  pre_consume_token_quota_failed: {
    status: 403,
    type: 'billing_error',
    message:
      'The quota of this API key does not cover what this request may cost. Limit its output tokens, or raise the quota.',
    midway:
      'The quota of this API key does not cover what the answer cost. It is withheld, and what was set aside for it is charged. Limit its output tokens, or raise the quota.',
  },
  model_price_error: {
    status: 400,
    type: 'billing_error',
    message:
      'No price is configured for the model "{model}"{usage}. The operator sets one in ModelRatio, ModelPrice or TaskRateCards.',
  },
  model_not_found: {
    status: 503,
    type: 'api_error',
    message:
      'No channel serves the model "{model}" for this API key. GET /v1/models lists what it can use.',
  },
  channels_saturated: {
    status: 429,
    type: 'rate_limit_error',
    message:
      'The upstreams of the model "{model}" take no more requests for now. Try again in {seconds} s.',
  },
  channels_failing: {
    status: 503,
    type: 'api_error',
    message:
      'Every channel of the model "{model}" is failing at the moment. Try again in {seconds} s.',
  },
  unknown_model: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no model "{model}" for this API key.',
  },
  task_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no task "{task}" for this API key.',
  },
  task_not_finished: invalid(
    'The task "{task}" has not succeeded, so nothing can go on from it yet.',
    409,
  ),
  task_unfinished: {
    status: 504,
    type: 'upstream_error',
    message:
      'The task "{task}" is still under way. It goes on: its results can be read at /v1/images/generations/{task}, and it is paid back if it fails.',
  },
  task_ended: invalid('The task "{task}" has ended; its upstream is not asked any more.', 409),
  task_not_cancellable: invalid(
    'The task "{task}" cannot be cancelled: its upstream has no way to do so.',
    409,
  ),
  task_origin_unavailable: {
    status: 503,
    type: 'api_error',
    message:
      'The channel that has the task "{task}" cannot take this request: it is gone, switched off, or does not serve the model.',
  },
  task_result_missing: {
    status: 404,
    type: 'not_found_error',
    message: 'The task "{task}" has no such result, or has it no longer.',
  },
  task_result_refused: invalid(
    'The result of the task "{task}" is nothing this gateway passes on: {reason}.',
    415,
  ),
  too_many_tasks: {
    status: 429,
    type: 'rate_limit_error',
    message:
      'Media tasks of this {whose} that are under way may be at most {limit}. Try again once some have ended.',
  },
  signature_invalid: {
    status: 403,
    type: 'permission_error',
    message: 'This address was changed, or is no longer valid. Fetch the task for a new one.',
  },
  api_not_implemented: {
    status: 501,
    type: 'invalid_request_error',
    message: 'This gateway does not serve this path.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is nothing at {method} {path}.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: '{path} does not take {method}.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Too many requests. Try again in {seconds} s.',
  },
  too_many_at_once: {
    status: 429,
    type: 'rate_limit_error',
    message:
      'Requests of this {whose} that are under way at once may be at most {limit}. Try again in {seconds} s, once some have ended.',
  },
  out_of_room: {
    status: 503,
    type: 'api_error',
    message:
      'The gateway holds as much of other requests as it can. Nothing was relayed or charged. Try again in {seconds} s; smaller requests are taken longer.',
  },
  no_room_for_answer: {
    status: 503,
    type: 'api_error',
    message:
      'The gateway holds as much of other requests as it can, so the answer of the upstream was not read to its end. Nothing was charged. Try again in {seconds} s.',
    midway:
      'The gateway holds as much of other requests as it can, so the answer ends here. What was delivered is charged.',
  },
  database_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'The gateway cannot reach its database. Nothing was relayed or charged.',
    midway:
      'The gateway cannot reach its database, so the answer ends here. What was delivered is charged.',
  },
  shutting_down: {
    status: 503,
    type: 'api_error',
    message: 'The gateway is shutting down. Nothing was relayed or charged.',
    midway: 'The gateway is shutting down, so the answer ends here. What was delivered is charged.',
  },
  upstream_rejected: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The upstream refused the request: {reason}',
  },
  upstream_error: { status: 502, type: 'upstream_error', message: 'The upstream failed: {reason}' },
  upstream_timeout: {
    status: 504,
    type: 'upstream_error',
    message: 'The upstream did not answer in time ({limit}).',
  },
  upstream_unreachable: {
    status: 502,
    type: 'upstream_error',
    message: 'The upstream could not be reached.',
  },
  upstream_broke_off: {
    status: 502,
    type: 'upstream_error',
    message: 'The upstream broke off before its answer was complete.',
  },
  upstream_too_large: {
    status: 502,
    type: 'upstream_error',
    message: 'The upstream sent more than this gateway takes.',
  },
  client_gone: {
    status: 499,
    type: 'api_error',
    message: 'The client left before the answer was there.',
  },
  out_of_funds: {
    status: 403,
    type: 'billing_error',
    message: 'The balance ran out while the answer was being written.',
  },
  'channel:model_mapped_error': {
    status: 500,
    type: 'api_error',
    message: 'The model mapping of the channel runs in a circle.',
  },
  'channel:invalid_key': {
    status: 502,
    type: 'upstream_error',
    message: 'The key of the channel could not be used.',
  },
  'channel:no_available_key': {
    status: 500,
    type: 'api_error',
    message: 'The channel has no key that can be used.',
  },
  'channel:override_invalid': {
    status: 500,
    type: 'api_error',
    message: 'The override of the channel cannot be read.',
  },
  'channel:address_refused': {
    status: 500,
    type: 'api_error',
    message: 'The address of the channel is not allowed.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Something went wrong inside the gateway.',
  },
  // Management.
  unauthorized: { status: 401, type: 'authentication_error', message: 'Sign in first.' },
  forbidden: {
    status: 403,
    type: 'permission_error',
    message: 'This needs more rights than you have.',
  },
  switched_off: {
    status: 403,
    type: 'permission_error',
    message: '{what} is switched off on this gateway.',
  },
  cross_site_request: {
    status: 403,
    type: 'permission_error',
    message:
      'Another site may not use your session. A script says that it is none by Content-Type: application/json.',
  },
  invalid_credentials: {
    status: 401,
    type: 'authentication_error',
    message: 'User name or password is not right.',
  },
  account_disabled: { status: 403, type: 'permission_error', message: 'This account is disabled.' },
  session_required: {
    status: 403,
    type: 'permission_error',
    message: 'This needs a live session; an access token does not suffice.',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    message: 'This access token does not have the scope "{scope}".',
  },
  verification_required: {
    status: 403,
    type: 'permission_error',
    message:
      'Verify that it is you first: POST /api/verify with the scope "{scope}", then send its proof_token as X-Verification-Token.',
  },
  channel_key_required: {
    status: 400,
    type: 'invalid_request_error',
    message:
      'This changes where the stored key is sent ({changed}). Write the field "{param}" anew in the same request, or have root do it in a session with a proof of the scope channel_key.',
  },
  verification_failed: {
    status: 403,
    type: 'authentication_error',
    message: 'The code, password or passkey is not right.',
  },
  second_factor_missing: {
    status: 403,
    type: 'permission_error',
    message:
      'Admins need a second factor here: set up an authenticator app or a passkey under Profile, Security.',
  },
  factor_required: {
    status: 403,
    type: 'permission_error',
    message: 'This account has a second factor; a password does not suffice.',
  },
  factor_locked: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Too many wrong codes. Try again in {seconds} s.',
  },
  sign_in_expired: {
    status: 401,
    type: 'authentication_error',
    message: 'The sign-in took too long, or was finished before. Begin again.',
  },
  challenge_required: {
    status: 403,
    type: 'permission_error',
    message: 'Solve the bot challenge first and send its token as X-Turnstile-Token.',
  },
  work_required: {
    status: 403,
    type: 'permission_error',
    message:
      'Too many have tried this. Solve the puzzle in the header X-Challenge and send it with its solution as X-Challenge-Solution.',
  },
  challenge_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'The bot challenge could not be verified. Try again later.',
  },
  feature_off: { status: 403, type: 'permission_error', message: '{what} is switched off.' },
  mail_code_invalid: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The code is not right, was used, or has expired. Ask for a new one.',
  },
  mail_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'This gateway sends no mail: no mail server is configured.',
  },
  oauth_state_invalid: {
    status: 403,
    type: 'permission_error',
    message: 'This sign-in was not begun in this browser, took too long, or was finished before.',
  },
  oauth_provider_unknown: {
    status: 400,
    type: 'invalid_request_error',
    message: 'There is no sign-in provider "{provider}", or it is switched off.',
  },
  oauth_failed: {
    status: 502,
    type: 'upstream_error',
    message: 'The provider did not confirm who you are. Try again.',
  },
  payment_failed: {
    status: 502,
    type: 'upstream_error',
    message: '{gateway} could not open the payment. Try again later, or pay another way.',
  },
  refund_failed: {
    status: 502,
    type: 'upstream_error',
    message: '{gateway} did not take the refund. Try again: the same refund is never paid twice.',
  },
  redemption_code_invalid: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This code cannot be redeemed: it is wrong, used, expired, or switched off.',
  },
  daily_credit_used: {
    status: 403,
    type: 'permission_error',
    message: 'This access token may move {most} units of quota a day, and this would be more.',
  },
  invalid_field: { status: 400, type: 'invalid_request_error', message: '{reason}' },
  idempotency_key_reused: invalid(
    'This Idempotency-Key was used for another request. Send another key, or the same request.',
    422,
  ),
  conflict: { status: 409, type: 'invalid_request_error', message: '{reason}' },
  gone_missing: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such {what}.',
  },
  setup_done: {
    status: 409,
    type: 'invalid_request_error',
    message: 'This gateway is already set up.',
  },
  setup_code_required: {
    status: 403,
    type: 'permission_error',
    message: 'From another machine, setup needs the code the gateway printed when it started.',
  },
  insufficient_balance: { status: 409, type: 'billing_error', message: '{reason}' },
} as const satisfies Record<ErrorCode, Entry>

export type RefusalCode = ErrorCode

/** Codes of the refusals that carry this status, in the order of the catalogue. */
export function refusalCodes(status: number): readonly RefusalCode[] {
  return (Object.entries(catalogue) as [RefusalCode, Entry][]).flatMap(([code, entry]) =>
    entry.status === status ? [code] : [],
  )
}

export function isErrorCode(word: unknown): word is ErrorCode {
  return typeof word === 'string' && Object.hasOwn(catalogue, word)
}

/** Blanks of the message, plus `param`: the field at fault. */
export type RefusalDetails = Readonly<Record<string, string | number>>

export interface RefusalOptions extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** As `Refusal.about`. */
  readonly about?: string
}

/** A refusal the caller may read. Carries nothing secret. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly type: string
  /** The field at fault; "" when none is. */
  readonly param: string
  /** What has to be verified first; absent: nothing. */
  readonly scope?: string
  /** Said beside the body, lower case, e.g. how long to wait (LIMIT-1). Absent: nothing. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whose account it was about, as `user 7`, for the audit log alone. Absent: the caller's, or nobody's. */
  readonly about?: string

  constructor(code: RefusalCode, details: RefusalDetails = {}, options?: RefusalOptions) {
    const entry = catalogue[code]
    super(fill(entry.message, details), options)
    this.name = 'Refusal'
    this.code = code
    this.status = entry.status
    this.type = entry.type
    this.param = String(details.param ?? '')
    if (details.scope !== undefined) this.scope = String(details.scope)
    if (options?.headers !== undefined) this.headers = options.headers
    if (options?.about !== undefined) this.about = options.about
  }
}

/** What a service cannot do, refused by the client's own field before anything is sent. */
export function notExpressible(field: string): Refusal {
  return new Refusal('not_expressible', { fields: field, param: field })
}

/** The same refusal with whose account it was about; any other error as it is. */
export function concerning(error: unknown, about: string | undefined): unknown {
  if (!(error instanceof Refusal) || about === undefined) return error
  const { code, param, headers, scope, message } = error
  const made = new Refusal(
    code,
    { param, ...(scope && { scope }) },
    { headers, about, cause: error },
  )
  made.message = message
  return made
}

/** What a client receives for any error: a refusal as it is, a database that is away, anything else as internal. */
export function clientError(error: unknown): ClientError {
  const refusal = error instanceof Refusal ? error : new Refusal(codeOf(error))
  const { status, message, type, param, code, scope, headers } = refusal
  const reported = { status, message, type, param, code, ...(scope !== undefined && { scope }) }
  return headers === undefined ? reported : { ...reported, headers }
}

function codeOf(error: unknown): RefusalCode {
  return isUnavailable(error) ? 'database_unavailable' : 'internal_error'
}

function fill(message: string, details: RefusalDetails): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
}
