/** What mutations begin with: the recorded answers and streams among the fixtures, and requests as clients write them. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import { frames } from '../providers/bedrock-recorded.js'
import { type Bytes, bytesIn } from './mutations.js'

/** The compiled file lies in `dist/test/fuzz`. */
const folder = new URL('../../../test/fixtures/', import.meta.url)
const bytesMax = 16 * 1024

/** What lies under the first folder of its path: `gemini/text.sse` belongs to `gemini`. */
export interface Recorded<Content> {
  readonly from: string
  readonly content: Content
}

/** Whole answers, and the single events of streams. */
export const answers: readonly Recorded<JsonObject>[] = [
  ...filesOf('.json').flatMap(({ from, content }) => {
    const value: unknown = JSON.parse(content)
    return isObject(value) ? [{ from, content: value }] : []
  }),
  ...filesOf('.sse').flatMap(({ from, content }) =>
    eventsIn(content).map((event) => ({ from, content: event })),
  ),
]

/** Server-sent events. */
export const streams: readonly Recorded<Bytes>[] = filesOf('.sse').map(({ from, content }) => ({
  from,
  content: bytesIn(content),
}))

/** Event streams of AWS. */
export const awsStreams: readonly Bytes[] = [
  ...['claude-text', 'claude-tool', 'claude-throttled', 'claude-broken-late'],
  ...['converse-text', 'converse-tools'],
].map((name) => bytesIn(frames(name)))

function filesOf(ending: string): readonly Recorded<string>[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => ({
      from: path.split('/')[0]!,
      content: readFileSync(new URL(path, folder), 'utf8'),
    }))
    .filter(({ content }) => content.length <= bytesMax)
}

function eventsIn(stream: string): JsonObject[] {
  return stream.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return []
    const value: unknown = JSON.parse(line.slice('data: '.length))
    return isObject(value) ? [value] : []
  })
}

/** Where files of this project lie in the sources. */
export function sourcePath(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}
