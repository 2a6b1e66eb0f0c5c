/** A large upload through a whole gateway: what the upstream gets, and where it was before. */
import { readdirSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import t from 'tap'
import { startGateway } from '../../../kit/gateway.js'
import { json, scriptedUpstream } from '../../../kit/upstream.js'
import { wav } from '../../../plugins/operations/media/samples.js'
import { until } from '../harness.js'
import { folderFor, MiB, sumOf } from './harness.js'

/** Files of that folder this process has open, by the names they had. */
function openIn(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(folder) ? file : []
    } catch {
      return []
    }
  })
}

/** Sound of which no two stretches are alike. */
function recording(bytes: number): Buffer {
  const file = wav(bytes / 32_000, 16_000)
  for (let at = 44; at + 4 <= file.length; at += 4) file.writeUInt32LE((at * 40_503) >>> 0, at)
  return file
}

const skip = process.platform === 'linux' ? false : 'looks for open files in /proc'

t.test(
  '[SVC-3] a recording of 40 MiB is on disk, and then with the upstream',
  { skip },
  async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, { text: 'Hello.' }))
    const folder = await folderFor(t)
    const gateway = await startGateway(t, {
      environment: {
        maxRequestBodyBytes: 64 * MiB,
        bytesInFlightMax: 256 * MiB,
        uploadSpool: { folder, bytesMax: 128 * MiB },
      },
    })
    await gateway.admin.option('ModelPrice', { 'whisper-1': 0.001 })
    await gateway.admin.channel({
      ...{ type: 1, name: 'scripted', key: 'k', base_url: upstream.url },
      ...{ models: 'whisper-1', group: 'default' },
    })
    const file = recording(40 * MiB)
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', new File([new Uint8Array(file)], 'a.wav', { type: 'audio/wav' }))
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': encoded.headers.get('content-type')!,
    }
    for (const framed of [{ 'content-length': body.length }, {}]) {
      const { length } = upstream.requests
      const call = request(`${gateway.url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { ...headers, ...framed },
      })
      const answered = new Promise<number | undefined>((resolve, reject) => {
        call.on('error', reject)
        call.on('response', (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode))
        })
      })
      call.write(body.subarray(0, 20 * MiB))
      await until(() => openIn(folder).some((file) => file.endsWith('.upload (deleted)')))
      call.end(body.subarray(20 * MiB))
      t.equal(await answered, 200)
      t.strictSame(openIn(folder), [])
      const sent = await new Response(new Uint8Array(upstream.requests[length]!.bytes), {
        headers: { 'content-type': String(upstream.requests[length]!.headers['content-type']) },
      }).formData()
      const received = Buffer.from(await (sent.get('file') as File).arrayBuffer())
      t.equal(received.length, file.length)
      t.equal(sumOf(received), sumOf(file))
    }
  },
)
