/** The Dify provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/dify/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { conformingProvider } from '../conformance/provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const question = { query: 'Hello', inputs: {}, response_mode: 'streaming', user: 'user' }

const content = Buffer.from('what the file holds')
const usage = { input: 1033, output: 135 }
const source = { url: 'https://x.example/a.png' }
const picture = { kind: 'media', type: 'image', source } as const

const subject = {
  manifest: beside('../../providers/dify/manifest.json').toString(),
  create,
  formats: () => chat(),
}

conformingProvider((title, run) => t.test(`chat, ${title}`, async () => run()), {
  ...subject,
  calls: [{ operation: 'chat', wire: question, model: 'helpdesk' }],
  streams: [
    stream('chatflow.sse', { text: 'Grüße aus Bern 🐻', stop: 'end', usage }),
    stream('agent.sse', { text: 'I draw it.There it is.', stop: 'end', usage }),
    stream('replaced.sse', { text: 'How to', stop: 'filter', usage }),
    stream('blocking.json', { text: 'Grüße aus Bern', stop: 'end', usage }),
    stream('failed.sse', { failure: 'upstream' }),
    stream('error.sse', { failure: 'channel' }),
  ],
  writes: [
    {
      name: 'a question',
      call: { user: 'u-1' },
      wire: { ...question, response_mode: 'streaming', user: 'u-1', auto_generate_name: false },
    },
    {
      name: 'a conversation with a picture',
      call: {
        turns: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'Where am I?' }] },
          { role: 'assistant', parts: [{ kind: 'text', text: 'In Bern.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'And this?' }, picture] },
        ],
      },
      wire: {
        ...question,
        query: 'System: Be brief.\n\nUser: Where am I?\n\nAssistant: In Bern.\n\nUser: And this?',
        files: [{ type: 'image', transfer_method: 'remote_url', ...source }],
        auto_generate_name: false,
      },
    },
  ],
  preparations: [
    {
      name: 'a picture and a document as bytes, for the user of the call',
      operation: 'chat',
      wire: {
        ...question,
        user: 'u-1',
        files: [waiting('image', 'a.png'), waiting('document', 'b.pdf')],
      },
      calls: [upload('a.png', 'u-1', { id: 'f-1' }), upload('b.pdf', 'u-1', { id: 'f-2' })],
      json: {
        ...question,
        user: 'u-1',
        files: [uploaded('image', 'f-1'), uploaded('document', 'f-2')],
      },
    },
    {
      name: 'a file that is too large for its store',
      operation: 'chat',
      wire: { ...question, files: [waiting('image', 'a.png')] },
      calls: [upload('a.png', 'user', { code: 's3_file_too_large', message: 'x' }, 503)],
      blame: 'client',
    },
    {
      name: 'a store that is away',
      operation: 'chat',
      wire: { ...question, files: [waiting('image', 'a.png')] },
      calls: [upload('a.png', 'user', { code: 's3_connection_failed', message: 'x' }, 503)],
      blame: 'upstream',
    },
  ],
  refusals: [
    refusal(400, 'invalid_param', 'client'),
    refusal(400, 'app_unavailable', 'channel'),
    refusal(400, 'not_chat_app', 'channel'),
    refusal(400, 'not_workflow_app', 'channel'),
    refusal(400, 'provider_not_initialize', 'channel'),
    refusal(400, 'provider_quota_exceeded', 'channel'),
    refusal(400, 'model_currently_not_support', 'channel'),
    refusal(400, 'completion_request_error', 'upstream'),
    refusal(401, 'unauthorized', 'channel'),
    refusal(404, 'not_found', 'channel'),
    refusal(413, 'file_too_large', 'client'),
    refusal(415, 'unsupported_file_type', 'client'),
    refusal(429, 'too_many_requests', 'channel'),
    refusal(500, 'internal_server_error', 'upstream'),
  ],
})

/** A workflow and a text generator take inputs, one of them for the files. */
const asked = { inputs: { question: 'Hello' }, response_mode: 'streaming', user: 'user' }
const settings = { input: 'question', file_input: 'papers' }

conformingProvider((title, run) => t.test(`workflow, ${title}`, async () => run()), {
  ...subject,
  settings: { ...settings, app: 'workflow' },
  calls: [{ operation: 'chat', wire: asked, model: 'translator' }],
  streams: [
    stream('workflow.sse', {
      text: 'Grüße aus Bern',
      stop: 'end',
      usage: { input: 120, output: 30 },
    }),
    stream('workflow-blocking.json', {
      text: 'Nice to meet you.',
      stop: 'end',
      usage: { input: 145, output: 5 },
    }),
    stream('workflow-failed.sse', { failure: 'upstream' }),
    stream('workflow-paused.sse', { failure: 'channel' }),
    stream('error.sse', { failure: 'channel' }),
  ],
  writes: [
    { name: 'a question', call: {}, wire: asked },
    {
      name: 'a question about a picture',
      call: { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }, picture] }] },
      wire: {
        ...asked,
        inputs: {
          question: 'Hello',
          papers: [{ type: 'image', transfer_method: 'remote_url', ...source }],
        },
      },
    },
  ],
  preparations: [
    {
      name: 'a document in its input',
      operation: 'chat',
      wire: { ...asked, inputs: { papers: [waiting('document', 'b.pdf')] } },
      calls: [upload('b.pdf', 'user', { id: 'f-1' })],
      json: { ...asked, inputs: { papers: [uploaded('document', 'f-1')] } },
    },
  ],
  refusals: [refusal(400, 'workflow_request_error', 'upstream')],
})

conformingProvider((title, run) => t.test(`completion, ${title}`, async () => run()), {
  ...subject,
  settings: { app: 'completion' },
  calls: [{ operation: 'chat', wire: asked, model: 'writer' }],
  streams: [
    stream('completion.sse', { text: " I'm glad", stop: 'end', usage }),
    stream('replaced.sse', { text: 'How to', stop: 'filter', usage }),
    stream('error.sse', { failure: 'channel' }),
  ],
  writes: [{ name: 'a question', call: {}, wire: { ...asked, inputs: { query: 'Hello' } } }],
  preparations: [
    {
      name: 'a picture beside the inputs',
      operation: 'chat',
      wire: { ...asked, files: [waiting('image', 'a.png')] },
      calls: [upload('a.png', 'user', { id: 'f-1' })],
      json: { ...asked, files: [uploaded('image', 'f-1')] },
    },
  ],
})

function waiting(type: string, name: string) {
  const upload = { base64: content.toString('base64'), mime: 'application/x-any', name }
  return { type, transfer_method: 'local_file', upload }
}

function uploaded(type: string, id: string) {
  return { type, transfer_method: 'local_file', upload_file_id: id }
}

function upload(name: string, user: string, json: JsonObject, status = 201) {
  const holds = [`name="file"; filename="${name}"`, content, `name="user"\r\n\r\n${user}\r\n`]
  return { url: 'https://api.dify.ai/v1/files/upload', holds, answer: { status, json } }
}

function refusal(status: number, code: string, blame: 'client' | 'channel' | 'upstream') {
  const body = { code, message: 'What went wrong.', status }
  return { operation: 'chat' as const, status, body, blame }
}

function stream(file: string, expected: DecodedResponse) {
  return {
    name: file,
    operation: 'chat' as const,
    bytes: beside(`../fixtures/dify/${file}`),
    expected,
  }
}
