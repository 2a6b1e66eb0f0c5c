/** Requests for vectors in parts, where an upstream takes fewer texts at once than a client may send, and their answers as one. */
import type { Body } from '../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { EgressError } from '../errors/egress-error.js'
import { garbled } from '../errors/upstream-failure.js'

/** @param most how many texts, lists of tokens or media one call may hold; the same body where `input` holds no more */
export function splitInput(body: Body, most: number): readonly Body[] {
  return splitMember(body, 'input', most)
}

/** The same for a service with a word of its own for what it is given. */
export function splitMember(body: Body, member: string, most: number): readonly Body[] {
  const list = body.kind === 'json' ? body.value[member] : undefined
  if (body.kind !== 'json' || !Array.isArray(list)) return [body]
  if (list.length <= most || typeof list[0] === 'number') return [body]
  const parts: Body[] = []
  for (let from = 0; from < list.length; from += most) {
    const value = { ...body.value, [member]: list.slice(from, from + most) }
    parts.push({ kind: 'json', value })
  }
  return parts
}

/** Whether an answer holds a vector for each text: one that holds more or fewer would give texts the vectors of others. */
export function hasEachVector({ data }: JsonObject, requested: Body): boolean {
  const list = requested.kind === 'json' ? requested.value.input : undefined
  return !Array.isArray(list) || (Array.isArray(data) && data.length === list.length)
}

/**
 * Vectors are numbered through; what was counted is added up where every answer has counted. Throws an `EgressError` where it is
 * not certain which text a vector belongs to.
 */
export function joinedEmbeddings(answers: readonly JsonObject[]): JsonObject {
  const data = answers.flatMap(({ data }) => (Array.isArray(data) ? inOrder(data) : []))
  const counted = answers.map(({ usage }) => usage).filter(isObject) as readonly JsonObject[]
  const { usage: _, ...first } = answers[0] ?? {}
  return {
    ...first,
    data: data.map((item, index) => ({ ...item, index })),
    ...(counted.length === answers.length && { usage: sumOf(counted) }),
  }
}

/** As the client sent the texts: an upstream names the place of each, and may write them in any order. */
function inOrder(data: readonly Json[]): readonly JsonObject[] {
  if (!data.every(isObject)) throw new EgressError(garbled())
  const items = data as readonly JsonObject[]
  const places = items.map(({ index }) => index)
  const [first] = places
  if (places.some((place) => typeof place !== 'number')) return items
  // Where each has the same place, the service numbers what one text came to.
  if (places.every((place) => place === first)) return items
  const placed = items.map((item, at) => ({ item, place: places[at] as number }))
  placed.sort((a, b) => a.place - b.place)
  const least = placed[0]!.place
  const isRow = Number.isInteger(least) && placed.every(({ place }, at) => place === least + at)
  if (least < 0 || !isRow) throw new EgressError(garbled())
  return placed.map(({ item }) => item)
}

/** How deep counts stand in a report: shares of a total are an object in it. */
const countsDepth = 2

/** What all of them have counted. A count that one lacks, or that is none, says nothing of the whole. */
function sumOf(usages: readonly JsonObject[], depth = countsDepth): JsonObject {
  const sums = new Map<string, Json>()
  for (const name of Object.keys(usages[0] ?? {})) {
    const counts = usages.map((usage) => (Object.hasOwn(usage, name) ? usage[name] : undefined))
    const sum = counts.every(isCount) ? counts.reduce((all, one) => all + one, 0) : undefined
    if (sum !== undefined && Number.isFinite(sum)) sums.set(name, sum)
    else if (depth > 1 && counts.every(isObject)) {
      sums.set(name, sumOf(counts as readonly JsonObject[], depth - 1))
    }
  }
  return Object.fromEntries(sums)
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
