/** How an operation is called with curl, as text to be pasted into a shell. */
import type { Parameter, SecurityScheme } from '../../../api/openapi.js'
import type { Operation } from '../operations.js'
import { exampleOf, sampleOf } from './example.js'

export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>

/**
 * Fields of the path stand as `<id>`; the shell reads the key from `API_KEY` or `ACCESS_TOKEN`. Whatever the document
 * holds is quoted, so that the shell runs nothing of it.
 */
export function curlOf(operation: Operation, schemes: SecuritySchemes, origin: string): string {
  const scheme = schemeOf(operation, schemes)
  const method = operation.method === 'GET' ? '' : ` -X ${quoted(operation.method)}`
  const address = `${quoted(`${origin}${addressOf(operation)}`)}${keyInAddress(operation, scheme)}`
  return [`curl${method} ${address}`, ...headerOf(scheme), ...bodyOf(operation)].join(' \\\n  ')
}

function addressOf({ path, parameters = [] }: Operation): string {
  const query = queryOf(parameters)
  return `${path.replace(/\{(\w+)\}/g, '<$1>')}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** A script has no cookie, so any other way to sign in goes first. */
function schemeOf({ security }: Operation, schemes: SecuritySchemes): SecurityScheme | undefined {
  const known = security.flatMap((one) => Object.keys(one)).flatMap((name) => schemes[name] ?? [])
  return known.find((scheme) => scheme.in !== 'cookie')
}

function headerOf(scheme: SecurityScheme | undefined): readonly string[] {
  if (scheme?.type === 'http') return ['-H "Authorization: Bearer $API_KEY"']
  if (scheme?.in !== 'header') return []
  if (scheme.name === 'Authorization') return ['-H "Authorization: Bearer $ACCESS_TOKEN"']
  return [`-H ${quoted(`${scheme.name}: `)}"$API_KEY"`]
}

function keyInAddress(operation: Operation, scheme: SecurityScheme | undefined): string {
  if (scheme?.in !== 'query') return ''
  const mark = queryOf(operation.parameters ?? []).length > 0 ? '&' : '?'
  return `${quoted(`${mark}${scheme.name}=`)}"$API_KEY"`
}

function queryOf(parameters: readonly Parameter[]): readonly string[] {
  return parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema = {}, example }) => {
      const value = example ?? sampleOf(schema)
      return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
    })
}

function bodyOf({ requestBody }: Operation): readonly string[] {
  const [found] = Object.entries(requestBody?.content ?? {})
  if (found === undefined) return []
  const [type, media] = found
  if (type === 'multipart/form-data') return formOf(exampleOf(media))
  const text = JSON.stringify(exampleOf(media) ?? {}, null, 2)
  return [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(text)}`]
}

/** Where the form is free, a file is the one field every such path takes. */
function formOf(example: unknown): readonly string[] {
  const fields = Object.entries(example ?? {})
  if (fields.length === 0) return ["-F 'model=<model>'", "-F 'file=@<file>'"]
  return fields.map(([name, value]) => `-F ${quoted(`${name}=${String(value)}`)}`)
}

/** For a POSIX shell, which reads nothing between single quotes. */
function quoted(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
