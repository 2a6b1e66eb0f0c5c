/**
 * The OpenAPI document (3.1) of a gateway, made of what its plugins declare: the management API by its schemas, the
 * relay paths by name and format. Nothing in it is written by hand, so it lists every route there is.
 */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { LoadedRoute } from '../../../../kernel/contract/management.js'
import type { FormatName } from '../../../../kernel/contract/names.js'
import { ranks, securitySchemes } from './credentials.js'
import type { NamedSchemas } from './named-schemas.js'
import { operation } from './operation.js'
import { pathForms } from './path-form.js'
import { responses, schemasFor } from './replies.js'

/** A route as the document describes it, once per form of its path. */
export interface DescribedRoute {
  readonly path: string
  readonly method: string
  readonly tag: string
  /** Least role that may call; 0: anyone. */
  readonly role: number
  /** Whose words it speaks. Absent: those of the management API. */
  readonly format?: FormatName | undefined
  readonly operation: JsonObject
}

export interface DocumentOptions {
  readonly version: string
  readonly routes: readonly DescribedRoute[]
  /** As the routes were described with. */
  readonly named: NamedSchemas
  /** Only what a caller of this role may call is listed. */
  readonly role: number
}

export function describeRoute(route: LoadedRoute, named: NamedSchemas): readonly DescribedRoute[] {
  const { manifest, declared } = route
  if (!serves(route)) return []
  return pathForms(declared.path).map((form, index) => ({
    path: form.path,
    method: declared.method.toLowerCase(),
    tag: manifest.title,
    role: ranks[declared.credential],
    format: route.endpoint === undefined ? undefined : (declared.format ?? 'chat'),
    operation: operation(route, {
      form,
      id: index === 0 ? idOf(route) : `${idOf(route)}_all`,
      named,
    }),
  }))
}

export function openApiDocument({ version, routes, role, named }: DocumentOptions): JsonObject {
  const reported = routes.filter((route) => route.role <= role)
  const paths: Record<string, JsonObject> = {}
  for (const { path, method, operation } of reported) {
    paths[path] = { ...paths[path], [method]: operation }
  }
  const formats = [...new Set(reported.flatMap(({ format }) => format ?? []))]
  return {
    openapi: '3.1.0',
    info: { title: 'Waybill', version, description },
    servers: [{ url: '/' }],
    tags: [...new Set(reported.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      schemas: { ...schemasFor(formats), ...named.within(paths) },
      responses,
    },
  }
}

const description = [
  'Every path is served with and without a trailing slash.',
  'Schemas of requests show the form to send; fields they do not name are ignored. In a response every field is there that its schema requires.',
  '`x-role` is the least role a route asks for, and `x-scope` the scope an access token needs; `any` is every scope.',
].join(' ')

/** An endpoint that requires no key relays nothing: it answers that nothing is served there. */
function serves({ declared, endpoint }: LoadedRoute): boolean {
  return endpoint === undefined || declared.credential !== 'none'
}

/** `users_login`; relay routes add their kind, since both may be of a plugin named `models`. */
function idOf({ manifest, declared, endpoint }: LoadedRoute): string {
  const plugin = manifest.id.slice(manifest.id.indexOf('.') + 1)
  const name = `${inCamels(plugin)}_${inCamels(declared.name)}`
  return endpoint === undefined ? name : `relay_${name}`
}

function inCamels(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
