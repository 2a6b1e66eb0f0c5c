/** Plugins as their authors ship them: folders and packages on disk, named by `PLUGINS`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { manifestOf, type Part } from './plugins.js'

export interface Shelf {
  /** Whole path of a folder that is removed after the test. */
  readonly folder: string
  /** Writes files below it, by their paths; what is no text becomes JSON. Returns the whole path of the first one's folder. */
  put(files: Readonly<Record<string, string | object>>): string
  /** A folder with a manifest and code. Returns its whole path. */
  plugin(place: string, id: string, code: string, more?: Part): string
}

export function shelf(t: Pick<Test, 'teardown'>): Shelf {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-outside-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const put = (files: Readonly<Record<string, string | object>>) => putFiles(folder, files)
  return {
    folder,
    put,
    plugin: (place, id, code, more) =>
      put({ [`${place}/manifest.json`]: manifestOf(id, more), [`${place}/index.js`]: code }),
  }
}

/** Writes files below a folder, by their paths; what is no text becomes JSON. Returns the whole path of the first one's folder. */
export function putFiles(folder: string, files: Readonly<Record<string, string | object>>): string {
  const places = Object.entries(files).map(([name, content]) => {
    const place = join(folder, name)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content))
    return dirname(place)
  })
  return places[0] ?? folder
}

/** A provider of the chat format that sends its version along, and refuses calls for a model named "refused". */
export function acmeProvider(version: string): string {
  return `
import { Refusal, upstreamFailure } from 'waybill/toolkit/errors'
import { mark } from './mark.js'

export default function create() {
  return {
    operations: {
      chat: {
        format: 'chat',
        address(_wire, channel, { key }, { model }) {
          if (model === 'refused') throw new Refusal('invalid_field', { reason: 'Not this one.', param: 'model' })
          const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json', 'x-acme': '${version} ' + mark }
          return { method: 'POST', url: channel.baseUrl + '/v1/chat/completions', headers }
        },
        fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
      },
    },
  }
}
`
}

export const acmeManifest: Part = {
  hosts: ['channel'],
  channelTypes: [{ name: 'acme', title: 'Acme', baseUrl: 'https://api.acme.example' }],
}
