/** One notifier on the bench: the real rules for hosts, a receiver that answers by a word, and a clock that is moved. */
import type { ByteSource } from '../../kernel/contract/bytes.js'
import type { Manifest } from '../../kernel/contract/manifest.js'
import type { Notice, NoticeOutcome, Notifier } from '../../kernel/contract/notifier.js'
import type { Egress } from '../../kernel/contract/services/egress.js'
import { createOutgoing } from '../../kernel/egress/outgoing.js'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { FakeClock } from '../kit/clock.js'
import type { NotifierSubject, Played } from './notifier.js'

/** What was sent, as one text each: line, headers and body of a call, or all bytes of a connection. */
export interface NotifierBench {
  readonly manifest: Manifest
  readonly notifier: Notifier
  readonly clock: FakeClock
  readonly addresses: readonly string[]
  readonly logged: readonly string[]
  /** Resolves once the notifier has queried. */
  readonly pending: Promise<void>
  deliver(notice?: Notice): Promise<NoticeOutcome>
}

/** Signs of every kind, none of which may leave its place. */
export const notice: Notice = {
  id: '7f1c2d34-0000-4000-8000-000000000001',
  type: 'quota_exceed',
  title: 'Low\r\nBcc: everybody@example.com <b>&?#/../"',
  content: 'Left: {{value}} of {{value}}\n<script>alert(1)</script> & more ?a=b#c',
  values: ['900', '{{value}}'],
  timestamp: 1_767_225_600,
}

export const retrySeconds = 120

const statuses = { delivered: 200, later: 503, refused: 403, redirect: 302 } as const

export function notifierBench(subject: NotifierSubject, played: Played): NotifierBench {
  const manifest = readManifest(subject.manifest, 'manifest.json')
  const clock = new FakeClock(1_767_225_600_000)
  const addresses: string[] = []
  const logged: string[] = []
  let resolveRequest = () => {}
  const pending = new Promise<void>((resolve) => {
    resolveRequest = resolve
  })
  const note = (fields: object, message: string) => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  const fields = manifest.settings.map((field) =>
    subject.settings?.[field.name] === undefined
      ? field
      : { ...field, default: subject.settings[field.name] },
  )
  const settings = declaredSettings({ ...manifest, settings: fields })

  const egress: Egress = {
    async open({ url }) {
      addresses.push(url)
      resolveRequest()
      if (played === 'silence') return new Promise<never>(() => {})
      const result = { later: { 'retry-after': String(retrySeconds) } as Record<string, string> }
      const moved = { redirect: { location: 'http://169.254.169.254/' } as Record<string, string> }
      const headers = { ...result, ...moved }[played as 'later' | 'redirect'] ?? {}
      return { status: statuses[played], headers, body: bytes('x'.repeat(100_000)) }
    },
    async connect() {
      throw new Error('a notifier opens no WebSocket')
    },
    async dial(host, port) {
      addresses.push(`${host}:${port}`)
      if (subject.dial === undefined) throw new Error('nobody listens')
      const socket = await subject.dial(played)
      resolveRequest()
      return socket
    },
  }
  const log = { debug: note, info: note, warn: note, error: note }
  const outgoing = createOutgoing({ manifest, settings, egress: () => egress, clock })
  const notifier = subject.create({ settings, clock, log, ...outgoing })
  return {
    ...{ manifest, notifier, clock, addresses, logged, pending },
    deliver: (one = notice) => notifier.deliver(one, Object.freeze({ ...subject.target })),
  }
}

function bytes(text: string): ByteSource {
  return {
    consume(consumer) {
      if (consumer.data(Buffer.from(text)) !== false) consumer.end()
    },
    resume() {},
    abort() {},
  }
}
