/**
 * The operator's routes: read from the channel's settings, checked as a whole, and turned into what adapters look up. A
 * document with a fault serves nothing; `faultOfRoutes` names the fault, for whoever saves it.
 */

import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import { authOf, faultOfAuth, type RouteAuth } from './auth.js'
import { conversionOf } from './converter.js'
import { faultOfModel, type ModelTest, modelTest } from './model-pattern.js'
import { incomingOf, isUpstreamPath } from './paths.js'

export interface Route {
  readonly operation: OperationName
  /** The format of the clients it serves; undefined for operations of one form. */
  readonly client?: FormatName
  /** What the upstream speaks; undefined for operations of one form. */
  readonly format?: FormatName
  readonly path: string
  readonly takes: ModelTest
  readonly auth: RouteAuth
}

const routesMax = 100
const modelsMax = 1000

/** One sentence about the first fault; undefined: the document can be used. */
export function faultOfRoutes(value: Json | undefined): string | undefined {
  const list = listOf(value)
  if (list === undefined) return 'routes must be a list of routes.'
  if (list.length > routesMax) return `routes must be at most ${routesMax}.`
  for (const [index, route] of list.entries()) {
    const fault = isObject(route) ? faultOfRoute(route) : ' must be an object'
    if (fault !== undefined) return `routes[${index}]${fault}.`
  }
  return undefined
}

/** The routes in their order; none where the document has a fault. */
export function readRoutes(value: Json | undefined): readonly Route[] {
  if (faultOfRoutes(value) !== undefined) return []
  return (listOf(value) ?? []).filter(isObject).flatMap(routeOf)
}

/** The list itself, or an object that holds it under our name or the family's. */
function listOf(value: Json | undefined): readonly Json[] | undefined {
  const held = isObject(value) ? (value.routes ?? value.advanced_routes) : value
  return Array.isArray(held) ? held : undefined
}

function faultOfRoute(route: JsonObject): string | undefined {
  const { incoming_path: from, upstream_path: to, models, auth } = route
  if (typeof from !== 'string' || incomingOf(from) === undefined) {
    return '.incoming_path is none this gateway serves'
  }
  if (typeof to !== 'string' || !isUpstreamPath(to)) return '.upstream_path is no path'
  const fault = faultOfConverter(route, from) ?? faultOfModels(models)
  if (fault !== undefined) return fault
  const authFault = faultOfAuth(auth)
  return authFault === undefined ? undefined : `.auth${authFault}`
}

function faultOfConverter({ converter = '' }: JsonObject, from: string): string | undefined {
  const conversion = typeof converter === 'string' ? conversionOf(converter) : undefined
  if (conversion === undefined) return '.converter is none this gateway knows'
  if (conversion === 'none') return undefined
  const incoming = incomingOf(from)
  if (incoming?.kind !== 'chat') return '.converter must be none for this incoming_path'
  return incoming.format === conversion.from
    ? undefined
    : '.converter does not begin with the format of incoming_path'
}

function faultOfModels(models: Json | undefined): string | undefined {
  if (models === undefined || models === null) return undefined
  if (!Array.isArray(models)) return '.models must be a list of names'
  if (models.length > modelsMax) return `.models must be at most ${modelsMax}`
  for (const [index, entry] of models.entries()) {
    const fault = typeof entry === 'string' ? faultOfModel(entry) : 'must be a text'
    if (fault !== undefined) return `.models[${index}] ${fault}`
  }
  return undefined
}

/** The route of management behind this incoming path; the first where several are. */
export function managementRoute(value: Json | undefined, incomingPath: string) {
  if (faultOfRoutes(value) !== undefined) return undefined
  const route = (listOf(value) ?? [])
    .filter(isObject)
    .find(
      ({ incoming_path: from }) => from === incomingPath && incomingOf(from)?.kind === 'management',
    )
  return route && { path: String(route.upstream_path), auth: authOf(route.auth) }
}

/** Routes of management serve no client. */
function routeOf({ incoming_path, upstream_path, converter, models, auth }: JsonObject): Route[] {
  const incoming = incomingOf(String(incoming_path))
  if (incoming === undefined || incoming.kind === 'management') return []
  const conversion = conversionOf(typeof converter === 'string' ? converter : '')
  const shared = {
    path: String(upstream_path),
    takes: modelTest(Array.isArray(models) ? models.map(String) : []),
    auth: authOf(auth),
  }
  if (incoming.kind === 'operation') return [{ operation: incoming.operation, ...shared }]
  const to = conversion === 'none' || conversion === undefined ? incoming.format : conversion.to
  return [{ operation: 'chat', client: incoming.format, format: to, ...shared }]
}
