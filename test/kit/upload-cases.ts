/** What holds of every app that is shown files by their ids: they are uploaded before the question, or nothing is asked. */
import type { Test } from 'tap'
import { partsOf, picture, questions, type TwoChannels } from './uploads.js'
import { type Recorded, type Script, silence } from './upstream.js'

export const isUpload = ({ path }: Recorded) => path === '/v1/files/upload'

/** An upload as the service answers it, and what the client gets: 200 where another channel answers. */
export type FailingUpload = readonly [name: string, upload: Script, status: number]

export interface UploadSubject {
  readonly gateway: TwoChannels
  /** A service that keeps what it is sent. `upload` answers uploads in its place. */
  readonly service: (then?: Script, upload?: Script) => Script
  /** What its answer costs, which tells of Bern. */
  readonly cost: bigint
  /** The question about the picture, as it is sent. */
  readonly question: object
  readonly failing: readonly FailingUpload[]
}

/** Models the cases need, each with channels of its own. */
export function uploadModels(failing: readonly FailingUpload[]): readonly string[] {
  return ['fine', 'leaving', 'torn', ...failing.map(([name]) => modelOf(name))]
}

const modelOf = (name: string) => `up-${name}`

export function uploadCases(t: Pick<Test, 'test'>, subject: UploadSubject): void {
  for (const [format, path, body] of questions('fine')) {
    for (const stream of format === 'generative' ? [false] : [false, true]) {
      const asked = { format, path, body: { ...body, ...(stream && { stream }) } }
      shown(t, subject, asked, stream ? 'streamed' : 'whole')
    }
  }
  for (const failing of subject.failing) refused(t, subject, failing)
  torn(t, subject)
  left(t, subject)
}

type Cases = Pick<Test, 'test'>

interface Question {
  readonly format: string
  readonly path: string
  readonly body: object
}

function shown(
  t: Cases,
  { gateway, service, cost, question }: UploadSubject,
  { format, path, body }: Question,
  how: string,
): void {
  t.test(
    `[SVC-3] a picture of the ${format} format is uploaded, then asked about, ${how}`,
    async (t) => {
      gateway.upstream.script(service())
      const asked = await gateway.ask(path, body)
      t.equal(asked.status, 200, asked.text)
      t.match(asked.text, 'aus Bern')
      t.equal(asked.cost, cost)
      const [upload, sent, ...more] = asked.sent
      t.strictSame(more, [])
      t.strictSame(partsOf(upload!).get('file'), { filename: 'file.png', bytes: picture })
      t.equal(upload!.headers.authorization, 'Bearer upstream-key')
      t.match(sent!.json, question)
    },
  )
}

function refused(
  t: Cases,
  { gateway, service, cost }: UploadSubject,
  [name, upload, status]: FailingUpload,
): void {
  const isElsewhere = status === 200
  const whose = isElsewhere ? 'tried elsewhere' : 'the client’s'
  t.test(`[SVC-3] an upload that fails (${name}) is ${whose}`, async (t) => {
    gateway.upstream.script(service(undefined, upload))
    gateway.second.script(service())
    const [[, path, body]] = questions(modelOf(name)) as [readonly [string, string, object]]
    const asked = await gateway.ask(path, body)
    t.equal(asked.status, status, asked.text)
    t.ok(asked.sent.every(isUpload), 'nothing is asked without its file')
    t.equal(asked.sentSecond.length, isElsewhere ? 2 : 0)
    t.equal(asked.cost, isElsewhere ? cost : 0n)
    t.notMatch(asked.text, 'upstream-key')
    if (!isElsewhere) t.match(asked.text, 'It said', 'the client reads why')
  })
}

function torn(t: Cases, { gateway, service }: UploadSubject): void {
  t.test(
    '[ERR-1] a picture that is no base64, or empty, is the client’s and not uploaded',
    async (t) => {
      gateway.upstream.script(service())
      const [[, path, body]] = questions('torn') as [readonly [string, string, object]]
      const text = JSON.stringify(body)
      const given = picture.toString('base64')
      for (const data of ['', '====', '@@@!!!', 'iVBORw0KGgo…', 'iVBOR=w0KGgo']) {
        const asked = await gateway.ask(path, JSON.parse(text.replace(given, data)))
        t.equal(asked.status, 400, data)
        t.match(asked.text, 'base64')
        t.strictSame([...asked.sent, ...asked.sentSecond], [])
        t.equal(asked.cost, 0n)
      }
      const folded = JSON.parse(text.replace('iVBOR', 'iVBOR\\n'))
      t.equal((await gateway.ask(path, folded)).status, 200, 'lines may be broken')
    },
  )
}

function left(t: Cases, { gateway, service }: UploadSubject): void {
  t.test(
    '[SVC-3] a client that leaves during an upload costs nothing and is asked about nowhere',
    async (t) => {
      gateway.upstream.script(service(undefined, silence))
      const [[, , body]] = questions('leaving') as [readonly [string, string, object]]
      const { cost, sent, sentSecond } = await gateway.leave(body, 1)
      t.equal(cost, 0n)
      t.equal(sent.length, 1)
      t.equal(sentSecond.length, 0)
    },
  )
}
