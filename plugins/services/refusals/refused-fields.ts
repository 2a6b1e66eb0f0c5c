/**
 * What an upstream refused because it does not know it or does not take it, by the names of the fields: the first sign that its interface
 * and what clients send have drifted apart. Of the client's own text nothing is kept.
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import { strangeness, wordings } from './refusal-words.js'

/** Refusals are about requests; these are about keys, funds and pace. */
const otherStatuses = new Set([401, 402, 407, 408, 409, 429])
const fieldsMax = 5
const fieldCharsMax = 128

/** None: the failure is of another kind. An empty name: it is of this kind and names no field. */
export function refusedFields(failure: Failure): readonly string[] {
  if (!isRefusal(failure)) return []
  const words = upstreamWords(failure)
  if (!strangeness.test(words)) return []
  const named = fieldsIn(words)
  if (named.length > 0) return named
  return [fieldName(failure.param ?? '') ?? '']
}

function isRefusal({ status, code }: Failure): boolean {
  if (code !== 'upstream_rejected' && code !== 'upstream_error') return false
  return status >= 400 && status < 500 && !otherStatuses.has(status)
}

/** The upstream's own, without the sentence of the gateway around it, and without what it repeats of the request. */
export function upstreamWords({ upstreamMessage, message }: Failure): string {
  const own =
    upstreamMessage ?? message.replace(/^The upstream (?:refused the request|failed): /, '')
  return withoutProse(own)
}

/** Quotations are of the request, unless they are a name; so are values behind a label. */
function withoutProse(text: string): string {
  const named = /^(?:[\w$.[\]/:@-]{0,200}|extra inputs are not permitted)$/i
  return text
    .replace(/(?<!\w)'([^']*)(?:'(?!\w)|$)/g, (all, inside) => (named.test(inside) ? all : "'…'"))
    .replace(/"([^"]*)(?:"|$)/g, (all, inside) => (named.test(inside) ? all : '"…"'))
    .replace(/[“‘`]([^”’`]*)(?:[”’`]|$)/g, (all, inside) => (named.test(inside) ? all : '`…`'))
    .replace(
      /(?<=[,;[{(]\s{0,2}['"]?)((?:input_)?value|input|given|got|received)(['"]?\s{0,2}[:=])[^,;\])}]+/gi,
      '$1$2 …',
    )
}

function fieldsIn(words: string): readonly string[] {
  for (const { pattern, field } of wordings) {
    const matches = [...words.matchAll(pattern)]
    if (matches.length === 0) continue
    if (field !== undefined) return [field]
    const names = matches.flatMap(({ groups = {} }) => namesOf(groups.field ?? '', groups.at))
    const fields = [...new Set(names)].slice(0, fieldsMax)
    if (fields.length > 0) return fields
  }
  return []
}

/** One or several, below the place they stand in. */
function namesOf(list: string, at: string | undefined): readonly string[] {
  const parts = list.split(/["'`‘’“”]?(?:, ?| and )["'`‘’“”]?/)
  const isPlace = parts[0]?.replace(/\W/g, '') === 'body'
  const names = isPlace ? [parts.slice(1).join('.')] : parts
  return names.flatMap((name) => fieldName(at ? `${at}.${name}` : name) ?? [])
}

/**
 * A path in one spelling: numbers of elements give way to `[]`, and so does what a client names itself below a schema or its metadata,
 * so that one cause has one row. Undefined: it is none.
 */
function fieldName(text: string): string | undefined {
  if (!/^[\w$.[\]/"'`‘’“”-]{1,512}$/.test(text) || /^(?:none|null|undefined)$/i.test(text))
    return undefined
  const path = text
    .replace(/["'`‘’“”$]/g, '')
    .replace(/[./]?\[(?:\d+|\w)?\]|[./](?:\d+|X)(?=[./[]|$)/g, '[]')
    .replace(/\//g, '.')
    .replace(/\.?\bproperties(?:\[\]\.value|\.[^.[\]]+)/g, '')
    .replace(/\.(?:any_?of|all_?of|one_?of)\[\]|\.items(?=\.)/gi, '')
    .replace(/^(metadata|logit_bias|logitBias)\..*$/, '$1')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]{1,9}|[.-]{1,9}$/g, '')
  return /[a-z]/i.test(path) ? path.slice(0, fieldCharsMax) : undefined
}
