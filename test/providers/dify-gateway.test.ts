/** Dify through a whole gateway: files that are uploaded before the call, in every way that fails, and apps that are no chats. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { type FailingUpload, isUpload, uploadCases, uploadModels } from '../kit/upload-cases.js'
import { partsOf, picture, twoChannels } from '../kit/uploads.js'
import { events, hangUp, json, type Script } from '../kit/upstream.js'
import { isRecord, listIn, strictly, type VendorRule } from '../kit/vendor.js'

const recorded = (name: string) =>
  readFileSync(new URL(`../fixtures/dify/${name}`, import.meta.url))
const answered = events(recorded('chatflow.sse'))
/** What that answer counts, at 1 and 4. */
const cost = 1033n + 4n * 135n

const read = '2026-11-27'

/** As the service holds them: files of one user are nobody else's. */
function rules(ids: ReadonlyMap<string, string>): readonly VendorRule[] {
  return [
    {
      rule: 'An upload is a form with one file, which has a name without slashes, and a user.',
      source: 'docs.dify.ai/en/api-reference/files/upload-file; api/services/file_service.py',
      read,
      broken: (request) => {
        if (!isUpload(request)) return false
        const form = partsOf(request)
        const name = form.get('file')?.filename ?? ''
        return name === '' || /[/\\]/.test(name) || !form.get('user')?.bytes.length
      },
    },
    {
      rule: 'A file is named by the id of its upload, for the user it was uploaded for.',
      source:
        'docs.dify.ai/en/api-reference/guides/workflow ("Files are scoped to the uploading end user")',
      read,
      broken: ({ json }) => {
        const inputs = isRecord(json?.inputs) ? json.inputs : {}
        const files = [
          ...listIn(json, 'files'),
          ...Object.keys(inputs).flatMap((name) => listIn(inputs, name)),
        ]
        return files.some(
          ({ transfer_method: how, upload_file_id: id, ...more }) =>
            how === 'local_file' &&
            (ids.get(String(id)) !== json!.user || Object.keys(more).join() !== 'type'),
        )
      },
    },
  ]
}

/** A service that keeps what it is sent. */
function service(then: Script = answered, upload?: Script): Script {
  const ids = new Map<string, string>()
  const keeping: Script = (request, response) => {
    if (!isUpload(request)) return then(request, response)
    if (upload !== undefined) return upload(request, response)
    const id = `f-${ids.size + 1}`
    ids.set(id, String(partsOf(request).get('user')?.bytes))
    return json(201, { id, name: 'x', size: 1, mime_type: 'image/png' })(request, response)
  }
  return strictly(rules(ids), keeping)
}

const failing: readonly FailingUpload[] = [
  ['401', refused(401, 'unauthorized'), 200],
  ['403', refused(403, 'forbidden'), 200],
  ['404', refused(404, 'not_found'), 200],
  ['429', refused(429, 'too_many_requests'), 200],
  ['500', refused(500, 'internal_server_error'), 200],
  ['store-away', refused(503, 's3_connection_failed'), 200],
  ['broken-off', hangUp, 200],
  ['no-id', json(201, { name: 'x' }), 200],
  ['a-page', (_, response) => void response.writeHead(200).end('<html>welcome</html>'), 200],
  ['too-large', refused(413, 'file_too_large'), 413],
  ['too-large-for-store', refused(503, 's3_file_too_large'), 413],
  ['unknown-type', refused(415, 'unsupported_file_type'), 415],
  ['too-many', refused(400, 'too_many_files'), 400],
]

function refused(status: number, code: string): Script {
  return json(status, { code, message: `It said ${code} to upstream-key.`, status })
}

uploadCases(t, {
  gateway: await twoChannels(t, { type: 37 }, uploadModels(failing)),
  ...{ service, cost, failing },
  question: {
    query: 'What is it?',
    files: [{ type: 'image', transfer_method: 'local_file', upload_file_id: 'f-1' }],
  },
})

async function app(settings: object) {
  return scriptedGateway(t, { channel: { type: 37, settings } })
}

const workflow = await app({ app: 'workflow', input: 'question', file_input: 'papers' })
const completion = await app({ app: 'completion' })
const pdf = {
  filename: 'b.pdf',
  file_data: `data:application/pdf;base64,${picture.toString('base64')}`,
}
const about = (...content: object[]) => [
  { role: 'user', content: [{ type: 'text', text: 'Sum up.' }, ...content] },
]

for (const stream of [false, true]) {
  const how = stream ? 'streamed' : 'whole'

  t.test(
    `[SVC-3] a workflow is given the question and the files as its inputs, ${how}`,
    async (t) => {
      workflow.upstream.requests.length = 0
      workflow.upstream.script(service(events(recorded('workflow.sse'))))
      const before = await workflow.balance()
      const answer = await workflow.chat(
        ask({ stream, messages: about({ type: 'file', file: pdf }) }),
      )
      const text = await answer.text()
      t.match(text, 'Grüße ')
      t.match(text, 'aus Bern')
      t.equal(before - (await workflow.balance()), 120n + 4n * 30n)
      t.match(workflow.upstream.requests[1], {
        path: '/v1/workflows/run',
        json: {
          inputs: {
            question: 'Sum up.',
            papers: [{ type: 'document', transfer_method: 'local_file', upload_file_id: 'f-1' }],
          },
          response_mode: 'streaming',
        },
      })
    },
  )

  t.test(`[SVC-3] a text generator is given the question as its input, ${how}`, async (t) => {
    completion.upstream.script(service(events(recorded('completion.sse'))))
    const before = await completion.balance()
    const answer = await completion.chat(ask({ stream, messages: about() }))
    t.match(await answer.text(), "'m glad")
    t.equal(before - (await completion.balance()), cost)
    t.match(completion.upstream.requests.at(-1), {
      path: '/v1/completion-messages',
      json: { inputs: { query: 'Sum up.' } },
    })
  })
}

t.test(
  '[SVC-3] a workflow that failed or waits for a person is an error, and nothing is charged',
  async (t) => {
    for (const name of ['workflow-failed.sse', 'workflow-paused.sse']) {
      workflow.upstream.script(service(events(recorded(name))))
      const before = await workflow.balance()
      const answer = await workflow.chat(ask({ stream: true }))
      t.equal(answer.status, 502, name)
      t.equal(await workflow.balance(), before)
    }
  },
)
