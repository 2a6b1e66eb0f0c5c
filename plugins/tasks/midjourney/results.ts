/** What a task made: pictures, clips, the texts of a description, and the number its picture grew from. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { TaskResult, TaskState } from '../../../kernel/contract/task.js'
import { listAt, textAt } from '../../../kernel/toolkit/task/index.js'

export function resultsOf(task: JsonObject, ref: string, state: TaskState): readonly TaskResult[] {
  if (state === 'failed') return []
  const picture = pictureAt(task.imageUrl)
  const made = [...(picture === undefined ? [] : [picture]), ...clipsOf(task)]
  return state === 'succeeded' ? [...made, ...textsOf(task), ...seedOf(task, ref)] : made
}

/** Undefined: no address a client could use. */
export function pictureAt(url: Json | undefined): TaskResult | undefined {
  return isAddress(url) ? { type: 'image', url } : undefined
}

export function finished(results: readonly TaskResult[]) {
  return { state: 'succeeded', word: 'SUCCESS', percent: 100, results } as const
}

/** Several as texts or objects, else the one. */
function clipsOf(task: JsonObject): readonly TaskResult[] {
  const several = listAt(task, 'videoUrls').map((one) => (isObject(one) ? one.url : one))
  const urls = several.length > 0 ? several : [task.videoUrl]
  return urls.flatMap((url) => (isAddress(url) ? [{ type: 'video' as const, url }] : []))
}

const ofWords: ReadonlySet<string> = new Set(['DESCRIBE', 'SHORTEN'])

function textsOf(task: JsonObject): readonly TaskResult[] {
  if (!ofWords.has(textAt(task, 'action') ?? '')) return []
  const text = textAt(task, 'properties.finalPrompt') ?? textAt(task, 'prompt')
  return text === undefined ? [] : [{ type: 'text', text }]
}

/** Actions whose picture grew from no seed, or has none that can be asked for. */
const seedless: ReadonlySet<string> = new Set([...ofWords, 'VIDEO', 'SWAP_FACE', 'SWAPFACE'])

/** Fetched only when a client asks for it: the upstream has to ask in its turn. */
function seedOf(task: JsonObject, ref: string): readonly TaskResult[] {
  const { imageUrl } = task
  if (!isAddress(imageUrl) || seedless.has(textAt(task, 'action') ?? '')) return []
  return [{ type: 'file', keyed: true, url: seedPath(ref), meta: { name: 'seed' } }]
}

export function seedPath(ref: string): string {
  return `/mj/task/${encodeURIComponent(ref)}/image-seed`
}

function isAddress(url: Json | undefined): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)
}
