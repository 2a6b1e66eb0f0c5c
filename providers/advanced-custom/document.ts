/**
 * The operator's routes as a document: found in the channel's settings under our name or new-api's, and read route by route.
 * What has a fault is named by its place, for whoever saves it or looks after the gateway; all else serves.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { ModelPatterns } from './model-pattern.js'
import { type Question, type Route, readRoute } from './routes.js'

export interface RouteDocument {
  /** In the order in which they are tried. */
  readonly routes: readonly Route[]
  readonly questions: readonly Question[]
  /** What goes on after the name of the list, e.g. `[2].upstream_path is no path`. */
  readonly faults: readonly string[]
  /** Name of the list in the settings. */
  readonly name: string
}

const routesMax = 100
const faultsShown = 3

export function readDocument(settings: JsonObject): RouteDocument {
  const { name, list } = written(settings)
  if (list === undefined) {
    return { routes: [], questions: [], faults: [' must be a list of routes'], name }
  }
  const routes: Route[] = []
  const questions: Question[] = []
  const faults = list.length > routesMax ? [` must be at most ${routesMax}`] : []
  const patterns = new ModelPatterns()
  for (const [index, one] of list.slice(0, routesMax).entries()) {
    try {
      const read = readRoute(one, patterns)
      if ('route' in read) routes.push(read.route)
      else questions.push(read.question)
    } catch (error) {
      faults.push(`[${index}]${error instanceof Error ? error.message : ' cannot be read'}`)
    }
  }
  const inOrder = routes.toSorted((a, b) => Number(a.last) - Number(b.last))
  return { routes: inOrder, questions, faults, name }
}

/** One sentence for all faults; undefined: the whole document can be used. */
export function faultOfSettings(settings: JsonObject): string | undefined {
  const { faults, name } = readDocument(settings)
  if (faults.length === 0) return undefined
  const shown = faults.slice(0, faultsShown).map((fault) => `${name}${fault}`)
  const hidden = faults.length - shown.length
  return `${shown.join('; ')}${hidden > 0 ? `; and ${hidden} more` : ''}.`
}

/** Channels that come from new-api keep their routes under its own name, unless there are routes under ours. */
function written({ routes, advanced_custom: theirs }: JsonObject) {
  const own = listIn(routes)
  const isBlank = own === undefined ? routes === undefined : own.length === 0
  return isBlank && theirs !== undefined
    ? { name: 'advanced_routes', list: listIn(theirs) }
    : { name: 'routes', list: own }
}

/** The list itself, or an object that holds it under our name or new-api's. */
function listIn(value: Json | undefined): readonly Json[] | undefined {
  const held = isObject(value) ? (value.routes ?? value.advanced_routes) : value
  return Array.isArray(held) ? held : undefined
}
