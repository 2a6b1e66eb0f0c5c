/**
 * Objects in a bucket of S3 or of a server that speaks its protocol (https://docs.aws.amazon.com/AmazonS3/latest/API/). A large file
 * goes in parts, so that no more than two of them are in memory, whatever its length.
 */
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { partsOf } from './parts.js'
import { type Reply, refusedBy, type S3Call } from './s3-call.js'
import { StorageFault, type Store } from './store.js'

const answerBytesMax = 1024 * 1024

export function s3Store(call: S3Call): Store {
  async function put(name: string, body: Buffer, type: string): Promise<void> {
    const headers = { 'content-type': type }
    await done(await call({ method: 'PUT', name, headers, body }), 200)
  }

  async function begin(name: string, type: string): Promise<string> {
    const headers = { 'content-type': type }
    const reply = await call({ method: 'POST', name, query: 'uploads=', headers })
    const [, id] = /<UploadId>([^<]{1,1024})<\/UploadId>/.exec(await done(reply, 200)) ?? []
    if (id === undefined) throw new StorageFault('The S3 server named no upload.')
    return plainText(id)
  }

  async function part(name: string, upload: string, number: number, body: Buffer): Promise<string> {
    const query = `partNumber=${number}&uploadId=${encoded(upload)}`
    const reply = await call({ method: 'PUT', name, query, body })
    await done(reply, 200)
    return reply.headers.etag ?? ''
  }

  async function complete(name: string, upload: string, tags: readonly string[]): Promise<void> {
    const listed = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${xmlText(tag)}</ETag></Part>`,
    )
    const body = Buffer.from(
      `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`,
    )
    const query = `uploadId=${encoded(upload)}`
    const headers = { 'content-type': 'application/xml' }
    const answer = await done(await call({ method: 'POST', name, query, headers, body }), 200)
    // It may fail behind a status of 200.
    if (/<Error>/.test(answer)) throw refusedBy(200, answer)
  }

  async function abandon(name: string, upload: string): Promise<void> {
    const query = `uploadId=${encoded(upload)}`
    await done(await call({ method: 'DELETE', name, query }), 200, 204, 404)
  }

  return {
    async put(name, { pieces, type }) {
      let upload: string | undefined
      let held: Buffer | undefined
      const tags: string[] = []
      try {
        for await (const next of partsOf(pieces)) {
          if (held !== undefined) {
            upload ??= await begin(name, type)
            tags.push(await part(name, upload, tags.length + 1, held))
          }
          held = next
        }
        const last = held ?? Buffer.alloc(0)
        if (upload === undefined) return await put(name, last, type)
        tags.push(await part(name, upload, tags.length + 1, last))
        await complete(name, upload, tags)
      } catch (error) {
        if (upload !== undefined) await abandon(name, upload).catch(() => {})
        throw error
      }
    },
    async read(name, stretch) {
      const range = stretch && { range: `bytes=${stretch.from}-${stretch.to - 1}` }
      const reply = await call({ method: 'GET', name, ...(range && { headers: range }) })
      if (reply.status === (stretch === undefined ? 200 : 206)) return reply.body
      await done(reply, 404)
      return undefined
    },
    async remove(name) {
      await done(await call({ method: 'DELETE', name }), 200, 204, 404)
    },
    async tidy(before) {
      const listed = await done(await call({ method: 'GET', query: 'uploads=' }), 200)
      for (const { name, id, begun } of uploadsIn(listed)) {
        if (begun < before) await abandon(name, id)
      }
    },
  }

  /** Uploads of this gateway's names alone: others may share the bucket. */
  function uploadsIn(listed: string) {
    const [, ...uploads] = listed.split('<Upload>')
    return uploads.flatMap((upload) => {
      const field = (name: string) =>
        plainText(new RegExp(`<${name}>([^<]*)</${name}>`).exec(upload)?.[1] ?? '')
      const name = call.nameOf(field('Key'))
      const begun = new Date(field('Initiated'))
      return name === undefined ? [] : [{ name, id: field('UploadId'), begun }]
    })
  }
}

/** The text of a reply whose status is one of these. Throws for another. */
async function done({ status, body }: Reply, ...expected: readonly number[]): Promise<string> {
  const text = (await readAll(body, answerBytesMax)).toString('utf8')
  if (!expected.includes(status)) throw refusedBy(status, text)
  return text
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

function plainText(xml: string): string {
  return xml.replace(/&(?:quot|apos|lt|gt|amp);/g, (entity) => entities[entity]!)
}

function xmlText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')
}
