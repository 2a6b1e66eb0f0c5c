/** Requests for vectors in parts, where an upstream takes fewer texts at once than a client may send, and their answers as one. */
import type { Body } from '../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'

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

/** Vectors are numbered through; what was counted is added up where every answer has counted. */
export function joinedEmbeddings(answers: readonly JsonObject[]): JsonObject {
  const data = answers.flatMap(({ data }) => (Array.isArray(data) ? inOrder(data) : []))
  const counted = answers.map(({ usage }) => usage).filter(isObject) as readonly JsonObject[]
  const { usage: _, ...first } = answers[0] ?? {}
  return {
    ...first,
    data: data.map((item, index) => (isObject(item) ? { ...item, index } : item)),
    ...(counted.length === answers.length && { usage: sumOf(counted) }),
  }
}

/** As the client sent the texts: an upstream names the place of each, and may write them in any order. */
function inOrder(data: readonly Json[]): readonly Json[] {
  const places = data.map((item) => (isObject(item) ? item.index : undefined))
  if (!places.every((place) => typeof place === 'number')) return data
  const placed = data.map((item, at) => ({ item, place: places[at] as number }))
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

function sumOf(usages: readonly JsonObject[]): JsonObject {
  const sum: Record<string, number> = {}
  for (const usage of usages)
    for (const [name, count] of Object.entries(usage))
      if (typeof count === 'number') sum[name] = (sum[name] ?? 0) + count
  return sum
}
