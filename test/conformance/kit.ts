/**
 * What the conformance kits share: the test function a caller brings, a kit for `create`, frozen copies, and the cuts
 * at which a stream is replayed. Only node:assert is used, so any test runner will do.
 */
import assert from 'node:assert/strict'
import type { PureKit } from '../../kernel/contract/kit.js'
import type { PluginKind } from '../../kernel/contract/manifest.js'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'

/** Runs a named function as a test. */
export type TestFunction = (title: string, run: () => void | Promise<void>) => unknown

/**
 * What runs the tests of a kit: a function, such as `test` of node:test or Vitest, or an object that has one, such as `t` of tap or
 * of node:test. A method needs its object, so it is `t` that is passed and never `t.test`.
 */
export type TestRunner =
  | ((title: string, run: () => Promise<void>) => unknown)
  | { test(title: string, run: () => Promise<void>): unknown }

/**
 * Gives a kit the tests' function, bound to where it comes from. The kit names all its tests before this returns; the promise
 * resolves once they have ended, and never rejects: what fails is reported by the runner. Throws where the subject cannot even be
 * looked at.
 */
export function runKit(runner: TestRunner, kit: (test: TestFunction) => void): Promise<void> {
  const begun: unknown[] = []
  kit((title, run) => {
    // A promise in any case, which tap waits for; what throws at once still does.
    const whole = () => Promise.resolve(run())
    const running = typeof runner === 'function' ? runner(title, whole) : runner.test(title, whole)
    begun.push(running)
    return running
  })
  return Promise.allSettled(begun).then(() => {})
}

/** Something that comes with its manifest: the text of `manifest.json` and the default export of its entry. */
export interface Subject<T> {
  readonly manifest: string
  readonly create: (kit: PureKit) => T
}

/** The manifest comes first: it is data, and what it states decides what else is tested. */
export function conformingManifest(test: TestFunction, text: string, kind: PluginKind): void {
  test('the manifest is one', () => {
    const manifest = readManifest(text, 'manifest.json')
    assert.equal(manifest.kind, kind)
    assert.ok(manifest.id.startsWith(`${kind}.`), `the id begins with "${kind}."`)
    assert.match(manifest.version, /^\d+\.\d+\.\d+/, 'the version is one')
  })
}

/** Creates the plugin with the defaults of its own settings. */
export function created<T>({ manifest, create }: Subject<T>): T {
  return create(
    Object.freeze({ settings: declaredSettings(readManifest(manifest, 'manifest.json')) }),
  )
}

/** A deep copy nobody can change: a write to it throws. */
export function frozen<T>(value: T): T {
  if (Buffer.isBuffer(value) || typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozen(item)]))
  return Object.freeze(copy) as T
}

/** Up to this size a stream is cut at every byte. */
const everyCutBytesMax = 4096
const seededCuts = 200

/**
 * Ways to cut a stream: whole, byte by byte and in two at every byte for small ones; above, 200 seeded ways in up to
 * eight pieces, so that a failure can be repeated.
 */
export function* cuttings(bytes: Buffer): Generator<{ name: string; pieces: readonly Buffer[] }> {
  yield { name: 'whole', pieces: [bytes] }
  if (bytes.length <= everyCutBytesMax) {
    const each = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    yield { name: 'byte by byte', pieces: each }
    for (let at = 1; at < bytes.length; at += 1) {
      yield { name: `cut at ${at}`, pieces: [bytes.subarray(0, at), bytes.subarray(at)] }
    }
    return
  }
  const random = seeded(20_260_101)
  for (let run = 0; run < seededCuts; run += 1) {
    const places = Array.from({ length: 1 + Math.floor(random() * 7) }, () =>
      Math.floor(random() * bytes.length),
    )
    places.sort((one, other) => one - other)
    const name = `cut at ${places.join(', ')}`
    yield { name, pieces: [0, ...places].map((at, i) => bytes.subarray(at, places[i])) }
  }
}

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Runs a transform over pieces to its end. */
export function run<In, Out>(
  transform: { push(input: In): Out[]; flush(): Out[] },
  pieces: readonly In[],
): Out[] {
  return [...pieces.flatMap((piece) => transform.push(piece)), ...transform.flush()]
}
