/**
 * One route of the operator's document: checked, and turned into what adapters look up. A route with a fault serves nothing and
 * leaves the others alone.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import { authOf, faultOfAuth, type RouteAuth } from './auth.js'
import { type Conversion, conversionOf } from './converter.js'
import type { ModelPatterns, ModelTest } from './model-pattern.js'
import { faultOfIncoming, type Incoming, incomingOf, isPlayground } from './paths.js'
import { faultOfTarget } from './target.js'

/** What an upstream speaks: a format of chat, the one form of an operation, or one of the two others there are. */
export type Form = FormatName | 'same' | 'geminiEmbedding' | 'sglang'

export interface Route {
  readonly operation: OperationName
  /** The format of the clients it serves; undefined: any. */
  readonly client?: FormatName
  readonly form: Form
  /** Of a route of Gemini's embeddings: whether it takes many texts. */
  readonly many?: boolean
  /** A path, or a whole address, with `{model}` where the upstream's model belongs. */
  readonly target: string
  readonly takes: ModelTest
  readonly auth: RouteAuth
  /** It was written for the Playground: one for the API goes first. */
  readonly last: boolean
}

/** A question of management: by which incoming path, and where it leads. */
export interface Question {
  readonly incomingPath: string
  readonly target: string
  readonly auth: RouteAuth
}

export type ReadRoute = { readonly route: Route } | { readonly question: Question }

const modelsMax = 1000

/** Throws an `Error` that goes on after the place of the route. */
export function readRoute(written: Json, patterns: ModelPatterns): ReadRoute {
  if (!isObject(written)) throw new Error(' must be an object')
  const { incoming_path: incomingPath, upstream_path: target, auth } = written
  if (typeof incomingPath !== 'string') throw new Error('.incoming_path must be a text')
  const pathFault = faultOfIncoming(incomingPath)
  if (pathFault !== undefined) throw new Error(`.incoming_path ${pathFault}`)
  if (typeof target !== 'string') throw new Error('.upstream_path must be a text')
  const targetFault = faultOfTarget(target)
  if (targetFault !== undefined) throw new Error(`.upstream_path ${targetFault}`)
  const incoming = incomingOf(incomingPath)!
  const conversion = readConversion(written, incoming)
  const takes = readModels(written.models, patterns)
  const authFault = faultOfAuth(auth)
  if (authFault !== undefined) throw new Error(`.auth${authFault}`)
  const shared = { target, auth: authOf(auth) }
  if (incoming.kind === 'management') return { question: { incomingPath, ...shared } }
  const last = isPlayground(incomingPath)
  return { route: { ...ends(incoming, conversion), ...shared, takes, last } }
}

function readConversion({ converter }: JsonObject, incoming: Incoming): Conversion {
  const conversion = conversionOf(typeof converter === 'string' ? converter : '')
  const isText = converter === undefined || converter === null || typeof converter === 'string'
  if (!isText || conversion === undefined) {
    throw new Error('.converter is none this gateway knows')
  }
  if (conversion === 'none') return conversion
  const isRerank = incoming.kind === 'operation' && incoming.operation === 'rerank'
  if (conversion === 'sglang' ? !isRerank : incoming.kind !== 'chat') {
    throw new Error('.converter must be none for this incoming_path')
  }
  if (conversion !== 'sglang' && incoming.kind === 'chat' && incoming.format !== conversion.from) {
    throw new Error('.converter does not begin with the format of incoming_path')
  }
  return conversion
}

function readModels(models: Json | undefined, patterns: ModelPatterns): ModelTest {
  if (models === undefined || models === null) return patterns.testOf([])
  if (!Array.isArray(models)) throw new Error('.models must be a list of names')
  if (models.length > modelsMax) throw new Error(`.models must be at most ${modelsMax}`)
  const odd = models.findIndex((entry) => typeof entry !== 'string')
  if (odd >= 0) throw new Error(`.models[${odd}] must be a text`)
  try {
    return patterns.testOf(models.map(String))
  } catch (error) {
    throw new Error(`.models${error instanceof Error ? error.message : ''}`)
  }
}

type Ends = Pick<Route, 'operation' | 'client' | 'form' | 'many'>

function ends(incoming: Exclude<Incoming, { kind: 'management' }>, conversion: Conversion): Ends {
  if (incoming.kind === 'operation') {
    const form = conversion === 'sglang' ? conversion : 'same'
    return { operation: incoming.operation, form }
  }
  if (incoming.kind === 'geminiEmbedding') {
    const { kind: form, many } = incoming
    return { operation: 'embeddings', client: 'generative', form, many }
  }
  const client = incoming.format
  return {
    operation: 'chat',
    client,
    form: typeof conversion === 'object' ? conversion.to : client,
  }
}
