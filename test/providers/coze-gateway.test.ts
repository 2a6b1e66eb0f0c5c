/** Coze through a whole gateway: files that are uploaded before the call, in every way that fails, its codes by their meaning, workflows. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { partsOf, picture, questions, twoChannels } from '../kit/uploads.js'
import { events, hangUp, json, type Recorded, type Script, silence } from '../kit/upstream.js'
import { isRecord, listIn, strictly, type VendorRule } from '../kit/vendor.js'

const recorded = (name: string) =>
  events(readFileSync(new URL(`../fixtures/coze/${name}.sse`, import.meta.url)))
const answered = recorded('answer')
const ran = recorded('workflow')
/** What those answers count, at 1 and 4. */
const cost = 614n + 4n * 19n

const read = '2026-11-27'
const isUpload = ({ path }: Recorded) => path === '/v1/files/upload'
const isRun = ({ path }: Recorded) => path === '/v1/workflow/stream_run'

function rules(ids: ReadonlySet<string>): readonly VendorRule[] {
  return [
    {
      rule: 'An upload is a form with one file.',
      source: 'www.coze.cn/open/docs/developer_guides/upload_files',
      read,
      broken: (request) =>
        isUpload(request) && partsOf(request).get('file')?.filename === undefined,
    },
    {
      rule: 'Content is a text; of an object_string, a JSON list whose files have a known file_id or a file_url.',
      source: 'github.com/coze-dev/coze-py, cozepy/chat (MessageObjectString)',
      read,
      broken: ({ json }) =>
        listIn(json, 'additional_messages').some((message) => isWrong(message, ids)),
    },
    {
      rule: 'A run names a workflow_id, a bot_id or an app_id, and files as a file_id in a text or as an address.',
      source: 'docs.coze.cn/developer_guides/workflow_stream_run',
      read,
      broken: (request) => isRun(request) && isWrongRun(request.json, ids),
    },
  ]
}

function isWrongRun(json: unknown, ids: ReadonlySet<string>): boolean {
  if (!isRecord(json) || typeof json.workflow_id !== 'string' || !isRecord(json.parameters)) {
    return true
  }
  if (json.bot_id !== undefined && json.app_id !== undefined) return true
  const { picture: files = [] } = json.parameters
  return [files].flat().some((file) => {
    if (typeof file !== 'string') return true
    return !file.startsWith('http') && !ids.has(JSON.parse(file).file_id)
  })
}

function isWrong(
  { content, content_type: type }: Record<string, unknown>,
  ids: ReadonlySet<string>,
) {
  if (typeof content !== 'string') return true
  if (type !== 'object_string') return false
  const items: unknown = JSON.parse(content)
  if (!Array.isArray(items)) return true
  return items.some((item) => {
    if (!isRecord(item)) return true
    if (item.type === 'text') return typeof item.text !== 'string'
    return typeof item.file_url !== 'string' && !ids.has(String(item.file_id))
  })
}

function service(then: Script = answered, upload?: Script): Script {
  const ids = new Set<string>()
  const keeping: Script = (request, response) => {
    if (!isUpload(request)) return then(request, response)
    if (upload !== undefined) return upload(request, response)
    const id = `7369495${ids.size}`
    ids.add(id)
    return json(200, { code: 0, msg: '', data: { id, bytes: 1, file_name: 'x' } })(
      request,
      response,
    )
  }
  return strictly(rules(ids), keeping)
}

const refused = (code: number, status = 200): Script =>
  json(status, { code, msg: `It said ${code} to upstream-key.` })

const uploads: readonly (readonly [name: string, upload: Script, status: number])[] = [
  ['401', refused(4100, 401), 200],
  ['4101', refused(4101), 200],
  ['4020', refused(4020), 200],
  ['5000', refused(5000), 200],
  ['http-500', json(500, {}), 200],
  ['broken-off', hangUp, 200],
  ['no-id', json(200, { code: 0, msg: '', data: {} }), 200],
  ['4302', refused(4302), 413],
  ['http-413', json(413, { msg: 'It said too large.' }), 413],
  ['4303', refused(4303), 415],
  ['4300', refused(4300), 400],
]

const codes: readonly (readonly [code: number, status: number])[] = [
  [4008, 200],
  [4013, 200],
  [4019, 200],
  [4020, 200],
  [4022, 200],
  [720_702_222, 200],
  [4005, 400],
  [4010, 400],
  [4014, 400],
]

const named = (code: number) => `code-${code}`
const runs: readonly (readonly [name: string, script: Script, status: number])[] = [
  ['4000', recorded('workflow-error'), 400],
  ['interrupt', events('event: Interrupt\ndata: {"node_title":"Question"}\n\n'), 200],
  ['4200', refused(4200), 200],
  ['cut', events('event: Message\ndata: {"node_title":"A"}\n\n'), 200],
]

const settings = { bot_id: '738', workflow_file_input: 'picture' }
const gateway = await twoChannels(t, { type: 49, settings }, [
  ...['fine', 'leaving', 'torn', 'workflow-744'],
  ...runs.map(([name]) => `workflow-${name}`),
  ...uploads.map(([name]) => `up-${name}`),
  ...codes.map(([code]) => named(code)),
])
const { upstream, second } = gateway

for (const [format, path, body] of questions('fine')) {
  for (const stream of format === 'generative' ? [false] : [false, true]) {
    t.test(
      `[SVC-3] a picture of the ${format} format is uploaded, then asked about, ${stream ? 'streamed' : 'whole'}`,
      async (t) => {
        upstream.script(service())
        const asked = await gateway.ask(path, { ...body, ...(stream && { stream }) })
        t.equal(asked.status, 200, asked.text)
        t.match(asked.text, 'aus Bern')
        t.equal(asked.cost, cost)
        const [upload, question, ...more] = asked.sent
        t.strictSame(more, [])
        t.strictSame(partsOf(upload!).get('file'), { filename: 'file.png', bytes: picture })
        t.match(question!.json, {
          additional_messages: [
            {
              content:
                '[{"type":"text","text":"What is it?"},{"type":"image","file_id":"73694950"}]',
              content_type: 'object_string',
            },
          ],
        })
      },
    )
  }
}

for (const [name, upload, status] of uploads) {
  t.test(
    `[SVC-3] an upload that fails (${name}) is ${status === 200 ? 'tried elsewhere' : 'the client’s'}`,
    async (t) => {
      upstream.script(service(answered, upload))
      second.script(service())
      const [[, path, body]] = questions(`up-${name}`) as [readonly [string, string, object]]
      const asked = await gateway.ask(path, body)
      t.equal(asked.status, status, asked.text)
      t.ok(asked.sent.every(isUpload), 'nothing is asked without its file')
      t.equal(asked.sentSecond.length, status === 200 ? 2 : 0)
      t.equal(asked.cost, status === 200 ? cost : 0n)
      t.notMatch(asked.text, 'upstream-key')
      if (status !== 200) t.match(asked.text, 'It said', 'the client reads why')
    },
  )
}

t.test(
  '[ERR-1] a picture that is no base64, or empty, is the client’s and not uploaded',
  async (t) => {
    upstream.script(service())
    for (const data of ['', '====', '@@@!!!', 'iVBORw0KGgo…', 'iVBOR=w0KGgo']) {
      const url = `data:image/png;base64,${data}`
      const content = [{ type: 'image_url', image_url: { url } }]
      const messages = [{ role: 'user', content }]
      const asked = await gateway.ask('/v1/chat/completions', { model: 'torn', messages })
      t.equal(asked.status, 400, data)
      t.match(asked.text, 'base64')
      t.strictSame([...asked.sent, ...asked.sentSecond], [])
      t.equal(asked.cost, 0n)
    }
    const [[, path, body]] = questions('torn') as [readonly [string, string, object]]
    const folded = JSON.parse(JSON.stringify(body).replace('iVBOR', 'iVBOR\\n'))
    t.equal((await gateway.ask(path, folded)).status, 200, 'lines may be broken')
  },
)

for (const [code, status] of codes) {
  t.test(
    `[ERR-2] code ${code} is ${status === 200 ? 'tried elsewhere' : 'the client’s'}`,
    async (t) => {
      upstream.script(service(refused(code)))
      second.script(service())
      const messages = [{ role: 'user', content: 'Hello' }]
      const asked = await gateway.ask('/v1/chat/completions', { model: named(code), messages })
      t.equal(asked.status, status, asked.text)
      t.equal(asked.sentSecond.length, status === 200 ? 1 : 0)
      t.equal(asked.cost, status === 200 ? cost : 0n)
    },
  )
}

for (const [format, path, body] of questions('workflow-744')) {
  for (const stream of format === 'generative' ? [false] : [false, true]) {
    t.test(
      `[SVC-3] a workflow is run for a client of the ${format} format, ${stream ? 'streamed' : 'whole'}`,
      async (t) => {
        upstream.script(service(ran))
        const asked = await gateway.ask(path, { ...body, ...(stream && { stream }) })
        t.equal(asked.status, 200, asked.text)
        t.match(asked.text, 'aus Bern')
        t.notMatch(asked.text, 'output\\":', 'what was said is not said again')
        t.equal(asked.cost, cost)
        const [upload, run, ...more] = asked.sent
        t.strictSame(more, [])
        t.ok(isUpload(upload!))
        t.strictSame(run!.json, {
          workflow_id: '744',
          parameters: { input: 'What is it?', picture: ['{"file_id":"73694950"}'] },
          ...(format !== 'generative' && { ext: { user_id: 'u-1' } }),
          bot_id: '738',
        })
      },
    )
  }
}

for (const [name, script, status] of runs) {
  t.test(
    `[ERR-2] a run that fails (${name}) is ${status === 200 ? 'tried elsewhere' : 'the client’s'}`,
    async (t) => {
      upstream.script(service(script))
      second.script(service(ran))
      const messages = [{ role: 'user', content: 'Hello' }]
      const model = `workflow-${name}`
      const asked = await gateway.ask('/v1/chat/completions', { model, messages })
      t.equal(asked.status, status, asked.text)
      t.equal(asked.sentSecond.length, status === 200 ? 1 : 0)
      t.equal(asked.cost, status === 200 ? cost : 0n)
    },
  )
}

t.test(
  '[SVC-3] a client that leaves during an upload costs nothing and is asked about nowhere',
  async (t) => {
    upstream.script(service(answered, silence))
    const [[, , body]] = questions('leaving') as [readonly [string, string, object]]
    const { cost, sent, sentSecond } = await gateway.leave(body, 1)
    t.equal(cost, 0n)
    t.equal(sent.length, 1)
    t.equal(sentSecond.length, 0)
  },
)
