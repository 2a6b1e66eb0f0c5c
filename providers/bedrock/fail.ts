/**
 * How this service refuses: `{message}` with the kind of exception in the header `x-amzn-errortype`. Mostly the status
 * shows whose fault it is; what is about the operator's account or a model it does not have is a 400 all the same.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, (body) =>
    errorFields(exceptionName(headers['x-amzn-errortype'] ?? textOf(body.__type)), body),
  )
}

/** The same where the service speaks as OpenAI does: `{error: {message, type, code, param}}`. */
export function failInOpenAiWords(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, (body) => {
    const { message = '', ...fields } = nestedError(body) ?? {}
    const blame = isAboutChannel(message) ? 'channel' : fields.blame
    return { ...fields, message: withoutArns(message), ...(blame !== undefined && { blame }) }
  })
}

/** What an exception of this name means, in a refusal or within a stream. */
export function errorFields(name: string, body: JsonObject): ErrorFields {
  const message = textOf(body.message) || textOf(body.Message)
  const blame = isAboutChannel(message) ? 'channel' : blames[name]
  return {
    message: withoutArns(message),
    type: name || undefined,
    param: namedField.exec(message)?.[1],
    ...(blame !== undefined && { blame }),
  }
}

/** `ValidationException:http://…` and `com.amazon#ValidationException` are one word. */
export function exceptionName(reported: string): string {
  const name = reported.split(':')[0]!.split('#').at(-1) ?? ''
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Where the kind of exception knows better than its status (API reference, InvokeModel and Converse, 2026-11). */
const blames: Readonly<Record<string, Failure['blame'] | undefined>> = {
  ServiceQuotaExceededException: 'channel',
  ExpiredTokenException: 'channel',
  IncompleteSignatureException: 'channel',
  InvalidSignatureException: 'channel',
  MissingAuthenticationTokenException: 'channel',
  UnrecognizedClientException: 'channel',
  ModelTimeoutException: 'upstream',
  ModelErrorException: 'upstream',
  ModelStreamErrorException: 'upstream',
}

/** A `ValidationException` that another channel may well answer (words seen 2024-2026). */
const aboutChannel =
  /model identifier is invalid|on-demand throughput isn.t supported|operation not allowed|account is not authorized|access to this model|model access is denied|model is not (?:available|supported) in|reached the end of its life|marked by provider as legacy|invalid security token|does not support the .{1,64} api|isn.t supported on this route/i

function isAboutChannel(message: string): boolean {
  return aboutChannel.test(message)
}

/** The field a sentence names first, such as `max_tokens: Field required` or `messages.0.content: …`. */
const namedField = /^([a-z_]+(?:\.[a-z0-9_]+)*): /

/** They hold the number of the operator's account. */
const arns = /\barn:aws[\w-]*:[^\s'",)\]]+/g

function withoutArns(message: string): string {
  return message.replace(arns, '***')
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
