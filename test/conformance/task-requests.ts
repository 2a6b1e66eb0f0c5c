/** What goes out for a request of a client, what it will make, and what cannot be requested. */
import assert from 'node:assert/strict'
import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { jsonOf } from '../../kernel/toolkit/operation/operation-body.js'
import { frozen, type TestFunction } from './kit.js'
import type { TaskRequestCase, TaskSubject } from './task.js'
import {
  addressed,
  assertAddress,
  naming,
  shaped,
  shapedOrRefused,
  type TaskBench,
  twice,
} from './task-bench.js'
import { mutated } from './task-mutations.js'
import { assertQuantities } from './task-progress.js'

const callbackUrl = 'https://gateway.example/api/tasks/callback/task_01/5f0c9a'
const elsewhere = 'https://elsewhere.example/'

export function conformingRequests(
  test: TestFunction,
  bench: TaskBench,
  { requests, refused = [] }: TaskSubject,
): void {
  for (const one of requests) {
    test(`shape and address, ${one.name}: goes out as expected, nothing changed`, () =>
      goesOut(bench, one))
    test(`quantities, ${one.name}: counted from what goes out`, () => counts(bench, one))
    test(`quantities, ${one.name}: whatever an override made of the request, counts are counts`, () =>
      countsAnything(bench, one))
    test(`shape, ${one.name}: whatever a field holds, it is expressed or refused by its name`, () =>
      shapesAnything(bench, one))
    test(`shape, ${one.name}: the model stays the one that is priced`, () => keepsModel(bench, one))
    test(`shape, ${one.name}: reports are requested where they are read, at the gateway's address`, () =>
      requestsReports(bench, one))
  }
  test('quantities: the first request leaves to the upstream what it fills in, and is counted all the same', () => {
    const [{ body, quantities }] = requests as readonly [TaskRequestCase]
    const stated = ['seconds', 'duration', 'size', 'resolution', 'metadata'].filter(
      (field) => body[field] !== undefined,
    )
    assert.deepEqual(stated, [], 'it states none of these')
    assert.ok(Object.keys(quantities.counts).length > 0, 'it is counted in something')
  })
  for (const { body, context, param } of refused) {
    test(`shape: ${JSON.stringify(body).slice(0, 80)} is refused for ${param}`, () => {
      assert.throws(() => shaped(bench, { body, context }), { name: 'Refusal', param })
    })
  }
}

function goesOut(bench: TaskBench, one: TaskRequestCase): void {
  const wire = shaped(bench, one)
  const request = addressed(bench, wire, one.body.model)
  assertAddress(bench, request, one, 'POST')
  if (one.sent !== undefined) assert.deepEqual(sentIn(wire, request.body), one.sent, 'what is sent')
}

/** The body of the request where it has one of its own, else the wire. */
function sentIn(wire: Body, body: Buffer | string | undefined): JsonObject {
  return body === undefined ? jsonOf(wire) : JSON.parse(String(body))
}

function counts(bench: TaskBench, one: TaskRequestCase): void {
  const { model } = one.body
  const wire = frozen(shaped(bench, one))
  const requested = frozen<Body>({ kind: 'json', value: one.body })
  const found = twice(() => bench.adapter.quantities(wire, model, requested))
  assertQuantities(found, 'quantities')
  assert.deepEqual(found, one.quantities)
  const blind = bench.adapter.quantities(wire, model, { kind: 'none' })
  assert.deepEqual(
    blind,
    found,
    'they are read from what goes out, and not from what was requested',
  )
}

/** An admin's override has the last word on what goes out. */
function countsAnything(bench: TaskBench, one: TaskRequestCase): void {
  const wire = shaped(bench, one)
  const requested: Body = { kind: 'json', value: one.body }
  for (const { where, value } of mutated(jsonOf(wire))) {
    const changed = withJson(wire, value)
    naming(where, () => {
      const found = bench.adapter.quantities(frozen(changed), one.body.model, requested)
      assertQuantities(found, 'quantities')
    })
  }
}

function withJson(wire: Body, value: Json): Body {
  const fields = isObject(value) ? value : {}
  return wire.kind === 'form' ? { ...wire, fields } : { kind: 'json', value: fields }
}

function shapesAnything(bench: TaskBench, one: TaskRequestCase): void {
  const { model } = one.body
  const fields = [...mutated(one.body)]
  const words = [...mutated(jsonOf(shaped(bench, one)))].map(({ where, value }) => ({
    where: `metadata.${where}`,
    value: { ...one.body, metadata: value },
  }))
  for (const { where, value } of [...fields, ...words]) {
    const body = { ...(value as JsonObject), model }
    naming(where, () => {
      const wire = shapedOrRefused(bench, { body, context: one.context })
      if (wire === undefined) return
      assertQuantities(
        bench.adapter.quantities(frozen(wire), model, { kind: 'none' }),
        'quantities',
      )
    })
  }
}

/** A client's own fields of the upstream come last, but not that of the model. */
function keepsModel(bench: TaskBench, one: TaskRequestCase): void {
  const wire = jsonOf(shaped(bench, one))
  const named = membersThat(wire, one.body.model)
  const metadata = { ...asObject(one.body.metadata), ...named('another-model') }
  const changed = shapedOrRefused(bench, { ...one, body: { ...one.body, metadata } })
  if (changed === undefined) return
  for (const field of Object.keys(named(''))) {
    assert.equal(
      jsonOf(changed)[field],
      one.body.model,
      `${field} is what the price is looked up by`,
    )
  }
}

function requestsReports(bench: TaskBench, one: TaskRequestCase): void {
  const context = { ...one.context, callbackUrl }
  const wire = jsonOf(shaped(bench, { ...one, context }))
  const named = membersThat(wire, callbackUrl)
  const isRequested = Object.keys(named('')).length > 0
  assert.equal(
    isRequested,
    bench.adapter.notice !== undefined,
    'the address is in the request if and only if there is a notice',
  )
  const metadata = { ...asObject(one.body.metadata), ...named(elsewhere) }
  const body = { ...one.body, metadata }
  const changed = shapedOrRefused(bench, { ...one, context, body })
  if (changed === undefined) return
  for (const field of Object.keys(named(''))) {
    assert.equal(jsonOf(changed)[field], callbackUrl, `${field} stays the gateway's`)
  }
}

/** Top-level members that hold a text, each with another in its place. */
function membersThat(wire: JsonObject, text: string): (other: string) => JsonObject {
  const names = Object.keys(wire).filter((name) => wire[name] === text)
  return (other) => Object.fromEntries(names.map((name) => [name, other]))
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
