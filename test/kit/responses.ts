/**
 * Holds what management routes return against what they declare: each response is validated by its route's schema,
 * strictly. A key that is missing, unknown or of another type fails the test whose gateway sent it.
 */
import joi from 'joi'
import type { ManagementRoute } from '../../kernel/contract/management.js'
import type { Catalog } from '../../kernel/contract/services/catalog.js'
import { enveloped } from '../../kernel/toolkit/management/envelope.js'

/** Deviations by the origin of the gateway, each once: `management.vendors.list: data.items[0].name is required`. */
const found = new Map<string, Set<string>>()

/** Is given each deviation once per gateway. */
type Report = (deviation: string) => unknown

/** Validates from now on whatever the routes of this gateway return, before it goes out. */
export function holdResponses(url: string, catalog: Pick<Catalog, 'routes'>): void {
  const routes = catalog.routes().map(({ manifest, declared, management }) => {
    return [`${manifest.id}.${declared.name}`, management] as const
  })
  holdRoutes(url, routes)
}

/** The same for routes by their names, of a server that is no whole gateway. */
export function holdRoutes(
  url: string,
  routes: readonly (readonly [name: string, route: ManagementRoute | undefined])[],
  report: Report = failRun,
): void {
  const deviations = new Set<string>()
  found.set(url, deviations)
  for (const [name, route] of routes) {
    if (route === undefined) continue
    hold(route, (result) => {
      for (const deviation of deviationsOf(route, result).map((one) => `${name}: ${one}`)) {
        if (deviations.has(deviation)) continue
        deviations.add(deviation)
        report(deviation)
      }
    })
  }
}

/** Throws where a response of this gateway was none its route declares. */
export function requireDeclaredResponses(url: string): void {
  fail([...(found.get(url) ?? [])].sort())
}

/** The same for what a handler returned that was called by itself. */
export function requireDeclared(name: string, route: ManagementRoute, result: unknown): void {
  fail(deviationsOf(route, result).map((deviation) => `${name}: ${deviation}`))
}

function fail(deviations: readonly string[]): void {
  if (deviations.length === 0) return
  throw new Error(`responses are not as declared:\n${deviations.join('\n')}`)
}

/**
 * Also where the test looks at nothing of the response. An error on a teardown would keep other teardowns from running.
 * Benchmarks use the kit as well, and are no tests: who only imports tap is one.
 */
async function failRun(deviation: string): Promise<void> {
  const { default: t } = await import('tap')
  t.fail(`a response is not as declared: ${deviation}`)
}

/** A route that several gateways share is wrapped anew, never twice. */
const handlers = new WeakMap<ManagementRoute, ManagementRoute['handle']>()

function hold(route: ManagementRoute, check: (result: unknown) => void): void {
  const handle = handlers.get(route) ?? route.handle
  handlers.set(route, handle)
  Object.assign(route, {
    async handle(request: Parameters<typeof handle>[0]) {
      const result = await handle.call(route, request)
      check(result)
      return result
    },
  })
}

function deviationsOf(route: ManagementRoute, result: unknown): readonly string[] {
  const { status, body, headers } = enveloped(result)
  if (status >= 400 && route.failureStatuses?.includes(status) !== true) {
    return [`the status ${status} is not declared`]
  }
  const type = String(headers['content-type'] ?? 'application/json')
  if (Buffer.isBuffer(body) || (route.mediaType !== undefined && status < 400)) {
    return fileDeviations(route, type)
  }
  const isJson = type === 'application/json'
  const schema = status >= 400 && isJson ? failure : schemaOf(route)
  const { error } = schema?.validate(isJson ? JSON.parse(body) : body, strictly) ?? {}
  return (error?.details ?? []).map(({ message }) => message)
}

function fileDeviations({ mediaType = 'no file' }: ManagementRoute, type: string) {
  return type === mediaType ? [] : [`${type} was returned, and ${mediaType} is declared`]
}

const strictly = {
  abortEarly: false,
  convert: false,
  presence: 'required',
  errors: { wrap: { label: false } },
} as const

/** Of the whole body. Undefined: the route declares nothing. */
function schemaOf({ response, beside, bare }: ManagementRoute): joi.Schema | undefined {
  if (response === undefined || bare === true) return response
  return joi.object({
    success: joi.boolean().valid(true),
    message: joi.string().allow(''),
    data: response,
    ...beside,
  })
}

/** A failure that a handler returns in place of throwing it. */
const failure = joi.object({
  success: joi.boolean().valid(false),
  message: joi.string(),
  code: joi.string().optional(),
  data: joi.valid(null),
})
