/** What is known of the models and of the service's defaults. */

/** Of a request that states none. */
export const secondsDefault = 4
export const sizeDefault = '720x1280'

export interface ClipFacts {
  readonly seconds: readonly number[]
  readonly sizes: readonly string[]
}

/** Undefined: a model of another server, which may take anything. */
export function factsOf(model: string): ClipFacts | undefined {
  if (!/^sora-2(-pro)?(-\d{4}-\d{2}-\d{2})?$/.test(model)) return undefined
  return { seconds, sizes: model.startsWith('sora-2-pro') ? [...sizes, ...largeSizes] : sizes }
}

const seconds = [4, 8, 12, 16, 20]
const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024']
const largeSizes = ['1080x1920', '1920x1080']
