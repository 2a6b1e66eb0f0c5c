/** Models of pictures, as data: in which form they are asked, how many pictures one call makes, and which sizes there are. */
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'

export interface ImageModel extends Fact {
  readonly models: RegExp
  readonly form: 'amazon' | 'stability'
  /** Pictures of one call at most. */
  readonly picturesMax: number
  readonly sizes: Sizes
  /** Formats a client may choose. */
  readonly formats: readonly string[]
  /** Pictures it is shown at most. Absent: it is shown none. */
  readonly shownMax?: number
  /** Pictures out of pictures are made under a mode of their own. */
  readonly hasModes?: true
}

/** In pixels, listed or by a rule; or the shape alone. */
export type Sizes =
  | { readonly kind: 'listed'; readonly sizes: readonly string[] }
  | {
      readonly kind: 'ruled'
      readonly sideMin: number
      readonly sideMax: number
      readonly step: number
      readonly ratioMax: number
      readonly pixelsMax: number
    }
  | { readonly kind: 'shapes'; readonly shapes: readonly string[] }

const read = '2026-11-27'

const stability: Omit<ImageModel, 'models' | 'source'> = {
  form: 'stability',
  picturesMax: 1,
  formats: ['png', 'jpeg'],
  sizes: {
    kind: 'shapes',
    shapes: ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'],
  },
  read,
}

const imageModels: readonly ImageModel[] = [
  {
    models: /amazon\.titan-image-generator/,
    form: 'amazon',
    picturesMax: 5,
    formats: ['png'],
    shownMax: 5,
    sizes: {
      kind: 'listed',
      sizes: [
        ...['1024x1024', '768x768', '512x512', '768x1152', '384x576', '1152x768', '576x384'],
        ...['768x1280', '384x640', '1280x768', '640x384', '896x1152', '448x576', '1152x896'],
        ...['576x448', '768x1408', '384x704', '1408x768', '704x384', '640x1408', '320x704'],
        ...['1408x640', '704x320', '1152x640', '1173x640'],
      ],
    },
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-image.html',
    read,
  },
  {
    models: /amazon\.nova-canvas/,
    form: 'amazon',
    picturesMax: 5,
    formats: ['png'],
    shownMax: 5,
    sizes: {
      kind: 'ruled',
      sideMin: 320,
      sideMax: 4096,
      step: 16,
      ratioMax: 4,
      pixelsMax: 4_194_304,
    },
    source:
      'docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html, github.com/sebsto/swift-bedrock-library (sizes)',
    read,
  },
  {
    models: /stability\.stable-image-core/,
    ...stability,
    read,
    // Its own page was not to be had; calls seen have the same members.
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html',
  },
  {
    models: /stability\.stable-image-ultra/,
    ...stability,
    shownMax: 1,
    read,
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html',
  },
  {
    models: /stability\.sd3/,
    ...stability,
    shownMax: 1,
    hasModes: true,
    read,
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-3-5-large.html',
  },
]

/** Undefined: the model makes no pictures. */
export function imageModel(model: string): ImageModel | undefined {
  return imageModels.find(({ models }) => models.test(model))
}
