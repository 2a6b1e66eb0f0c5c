/** The built-in notifiers under the conformance kit. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import t from 'tap'
import bark from '../../../plugins/notifiers/bark/index.js'
import email from '../../../plugins/notifiers/email/index.js'
import gotify from '../../../plugins/notifiers/gotify/index.js'
import webhook from '../../../plugins/notifiers/webhook/index.js'
import {
  conformingNotifier,
  type NotifierSubject,
  type Played,
} from '../../conformance/notifier.js'
import { mailServer } from '../../kit/smtp.js'

const manifestOf = (name: string) =>
  readFileSync(new URL(`../../../plugins/notifiers/${name}/manifest.json`, import.meta.url), 'utf8')

function conforms(name: string, subject: Omit<NotifierSubject, 'manifest'>): void {
  t.test(name, async (t) => {
    conformingNotifier((title, run) => t.test(title, async () => run()), {
      ...subject,
      manifest: manifestOf(name),
    })
  })
}

const inside = [
  'http://127.0.0.1/',
  'http://localhost/',
  'http://169.254.169.254/latest',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::ffff:10.0.0.1]/',
  'http://[64:ff9b::a00:1]/',
  'http://[fd00::1]/',
  'http://10.1.2.3:8080/',
  'http://u:p@hooks.example.com/',
  'ftp://hooks.example.com/',
  'nonsense',
]

conforms('webhook', {
  create: webhook,
  target: { webhook_url: 'https://hooks.example.com/in?x=1#y', webhook_secret: 'canary-secret-1' },
  faults: [
    ...['', ...inside].map((webhook_url) => ({ target: { webhook_url }, field: 'webhook_url' })),
    {
      target: { webhook_url: 'https://hooks.example.com/', webhook_secret: 'a\r\nb' },
      field: 'webhook_secret',
    },
  ],
})

conforms('gotify', {
  create: gotify,
  target: {
    gotify_url: 'https://push.example.com/base/',
    gotify_token: 'canary-token-1',
    gotify_priority: 7,
  },
  faults: [
    ...['', ...inside].map((gotify_url) => ({
      target: { gotify_url, gotify_token: 'canary-token-1' },
      field: 'gotify_url',
    })),
    { target: { gotify_url: 'https://push.example.com' }, field: 'gotify_token' },
  ],
})

conforms('bark', {
  create: bark,
  target: { bark_url: 'https://api.day.app/key/{{title}}/{{content}}?group=x' },
  faults: ['', 'https://{{title}}.example.com/', ...inside].map((bark_url) => ({
    target: { bark_url },
    field: 'bark_url',
  })),
})

const refusing = (responseCode: number) =>
  mailServer(t, {
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('5.1.1 canary https://inside.example'), { responseCode })),
  })
const silent = new Promise<{ port: number }>((resolve) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})
const servers: Readonly<Record<Played, Promise<{ readonly port: number }>>> = {
  delivered: mailServer(t),
  later: refusing(451),
  refused: refusing(550),
  redirect: silent,
  silence: silent,
}

conforms('email', {
  create: email,
  settings: { server: 'mail.example.com', from: 'gateway@example.com' },
  target: { notification_email: 'ada@example.com' },
  faults: [
    '',
    'ada',
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c',
    '<a@b.example>',
    '@',
  ].map((notification_email) => ({ target: { notification_email }, field: 'notification_email' })),
  async dial(played) {
    const { port } = await servers[played]
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
    })
  },
})
