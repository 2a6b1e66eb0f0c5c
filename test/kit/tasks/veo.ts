/** An upstream that insists on the documented rules of Veo, as Gemini or as Vertex AI has it, and keeps its operations. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictVeo {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: JsonObject
  finish(name: string, clips?: number): void
  filter(name: string): void
  fail(name: string, message: string): void
}

const inProject = '/v1/projects/acme-1/locations/us-central1/'
const places = {
  gemini: { models: '/v1beta/models/', key: 'x-goog-api-key', value: 'key', operations: 'models/' },
  vertex: {
    models: `${inProject}publishers/google/models/`,
    key: 'authorization',
    value: 'Bearer token',
    operations: `${inProject.slice('/v1/'.length)}publishers/google/models/`,
  },
} as const

const parameters = ['aspectRatio', 'durationSeconds', 'resolution', 'negativePrompt', 'sampleCount']
const more = ['seed', 'personGeneration', 'enhancePrompt', 'compressionQuality']
const onVertexAlone = ['generateAudio', 'storageUri']

export function strictVeo(kind: 'gemini' | 'vertex'): StrictVeo {
  const { models, key, value, operations } = places[kind]
  const tasks = new Map<string, JsonObject>()
  const buckets = new Map<string, string>()
  let last: JsonObject = {}

  function begin(model: string, body: JsonObject): StrictReply {
    last = body
    const fault = faultOf(kind, body)
    if (fault !== undefined) return refusal(fault)
    const name = `${operations}${model}/operations/op${tasks.size + 1}`
    tasks.set(name, { name })
    const { storageUri } = isObject(body.parameters) ? body.parameters : {}
    if (storageUri !== undefined) buckets.set(name, String(storageUri))
    return replied({ name })
  }

  /** In the bucket the request names, or in the answer. */
  function clipOnVertex(name: string, at: number): JsonObject {
    const folder = buckets.get(name)
    const place =
      folder === undefined
        ? { bytesBase64Encoded: 'bXA0' }
        : { gcsUri: `${folder}1732536000/sample_${at}.mp4` }
    return { ...place, mimeType: 'video/mp4' }
  }

  function done(name: string, response: JsonObject): void {
    const wrapped = kind === 'gemini' ? { generateVideoResponse: response } : response
    tasks.set(name, { name, done: true, response: wrapped })
  }

  return {
    get last() {
      return last
    },
    finish(name, clips = 1) {
      const list = Array.from({ length: clips }, (_, at) => at)
      done(
        name,
        kind === 'gemini'
          ? { generatedSamples: list.map((at) => ({ video: { uri: `${files}f${at}:download` } })) }
          : { videos: list.map((at) => clipOnVertex(name, at)) },
      )
    },
    filter: (name) => done(name, { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['No.'] }),
    fail: (name, message) =>
      void tasks.set(name, { name, done: true, error: { code: 3, message } }),
    handle(method, path, headers, text) {
      if (headers[key] !== value) return refusal('API key not valid.', 401)
      const [, model, verb] = /^([\w.-]+):(\w+)$/.exec(path.slice(models.length)) ?? []
      if (method === 'POST' && path.startsWith(models) && verb === 'predictLongRunning') {
        return begin(model!, jsonIn(text))
      }
      if (kind === 'vertex' && method === 'POST' && verb === 'fetchPredictOperation') {
        const task = tasks.get(String(jsonIn(text).operationName))
        return task?.name ===
          `${operations}${model}/operations/${String(task?.name).split('/').at(-1)}`
          ? replied(task)
          : refusal('Operation not found.', 404)
      }
      if (kind === 'gemini' && method === 'GET') {
        if (/^\/v1beta\/files\/f\d:download$/.test(path)) {
          return { status: 200, headers: { 'content-type': 'video/mp4' }, body: Buffer.from('mp4') }
        }
        const task = tasks.get(path.slice('/v1beta/'.length))
        if (task !== undefined) return replied(task)
      }
      return refusal('Not found.', 404)
    },
  }
}

const files = 'https://generativelanguage.googleapis.com/v1beta/files/'

function faultOf(kind: string, body: JsonObject): string | undefined {
  const [instance, ...others] = Array.isArray(body.instances) ? body.instances : []
  if (!isObject(instance) || others.length > 0) return 'one instance is needed'
  const known = ['prompt', 'image', 'lastFrame', 'referenceImages']
  const strange = Object.keys(instance).find((field) => !known.includes(field))
  if (strange !== undefined) return `Unknown name "${strange}"`
  for (const picture of [instance.image, instance.lastFrame]) {
    if (picture !== undefined && !isPicture(picture)) return 'bytesBase64Encoded is missing'
  }
  const given = isObject(body.parameters) ? body.parameters : {}
  const taken = [...parameters, ...more, ...(kind === 'vertex' ? onVertexAlone : [])]
  const unknown = Object.keys(given).find((field) => !taken.includes(field))
  if (unknown !== undefined) return `Unknown name "${unknown}"`
  const { storageUri = 'gs://bucket/' } = given
  if (!/^gs:\/\/[a-z0-9][\w.-]{1,61}[a-z0-9]\/(?:[\w. -]+\/)*$/.test(String(storageUri))) {
    return 'storageUri must be the path of a folder in Cloud Storage'
  }
  const { durationSeconds: seconds = 8, aspectRatio: aspect = '16:9', sampleCount = 1 } = given
  if (![4, 5, 6, 7, 8].includes(Number(seconds))) return 'Unsupported output video duration'
  if (aspect !== '16:9' && aspect !== '9:16') return 'aspectRatio is not supported'
  return Number(sampleCount) <= 4 ? undefined : 'sampleCount is too large'
}

function isPicture(value: unknown): boolean {
  if (!isObject(value)) return false
  return typeof value.bytesBase64Encoded === 'string' && typeof value.mimeType === 'string'
}

function refusal(message: string, status = 400): StrictReply {
  const word =
    status === 404 ? 'NOT_FOUND' : status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT'
  return replied({ error: { code: status, message, status: word } }, status)
}
