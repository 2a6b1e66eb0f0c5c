/** What is checked of a channel beyond its single fields: by its type, by its provider, and by the readers of documents. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../../kernel/contract/services/catalog.js'
import type { Providers } from '../../../../kernel/contract/services/providers.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import type { RequestRewriting } from '../../rewriting/index.js'
import { doubaoVideo } from './fields/channel-types.js'

export interface CheckServices {
  readonly providers: Providers
  readonly catalog: Catalog
  readonly rewriting: RequestRewriting
}

type KnownType = ReturnType<Catalog['channelTypes']>[number]

export interface Checks {
  /** The fields the provider of this channel type declares. */
  fields(type: number): readonly SettingField[]
  address(type: number, address: string): void
  /** What only the provider can judge, such as a document of its own. Its code must be loaded. */
  settings(type: number, settings: JsonObject): void
  overrides(form: Overrides): void
}

interface Overrides {
  readonly param_override?: JsonObject
  readonly header_override?: JsonObject
}

/** Each throws `invalid_field`. */
export function checks({ providers, catalog, rewriting }: CheckServices): Checks {
  /** What providers declare stays; the catalog makes its list anew each time, and a page needs every row. */
  let types: ReadonlyMap<number, KnownType> | undefined

  function known(type: number): KnownType | undefined {
    types ??= new Map(catalog.channelTypes().map((one) => [one.id, one]))
    return types.get(type)
  }

  function address(type: number, written: string): void {
    const usual = type === doubaoVideo ? videoAddress : providers.defaultBaseUrl(type)
    if (usual === undefined) refuse('type', `There is no channel type ${type}.`)
    if (usual === '' && written === '') {
      refuse('base_url', 'Channels of this type must name their base_url.')
    }
    if (written.includes('?') && known(type)?.address !== 'whole') {
      refuse('base_url', 'The field "base_url" must not hold a query.')
    }
  }

  function settings(type: number, document: JsonObject): void {
    const fault = providers.provider(type)?.faultOf?.(document)
    if (fault !== undefined) refuse('settings', fault)
  }

  function overrides({ param_override, header_override }: Overrides): void {
    readable('param_override', () => param_override && rewriting.override(param_override))
    readable('header_override', () => header_override && rewriting.headers(header_override))
  }

  return {
    fields: (type) => known(type)?.fields ?? [],
    address,
    settings,
    overrides,
  }
}

/** Its provider is not there yet, so nobody names its address. */
const videoAddress = 'https://ark.cn-beijing.volces.com'

function readable(field: string, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    refuse(
      field,
      `The field "${field}" ${error instanceof Error ? error.message : 'is not valid'}.`,
    )
  }
}

function refuse(param: string, reason: string): never {
  throw new Refusal('invalid_field', { reason, param })
}
