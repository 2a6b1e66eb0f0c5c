/** Types of the management API. Made by `npm run generate:api`; not to be edited. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What a management path returns. Some paths have fields beside `data`. */
        readonly Answer: {
            /** @constant */
            readonly success: true;
            readonly message: string;
            /** @description What was asked for; null where there is nothing to tell. */
            readonly data: unknown;
        };
        /** @description What a management path answers instead, beside the honest status. */
        readonly Refusal: {
            /** @constant */
            readonly success: false;
            /** @description One sentence for the reader. */
            readonly message: string;
            /** @description One word for scripts. Only probes of health leave it out. */
            readonly code?: string;
            readonly data: null;
            /** @description The field at fault, where one is. */
            readonly field?: string;
            /** @description With 429: the same in the words of a relay path. */
            readonly error?: Record<string, never>;
        };
        /** @description Free-form: what clients of the chat format send to this path. */
        readonly "chat-body": Record<string, never>;
        /** @description A refusal in the shape of the chat format. */
        readonly "chat-error": Record<string, never>;
        /** @description Free-form: what clients of the responses format send to this path. */
        readonly "responses-body": Record<string, never>;
        /** @description A refusal in the shape of the responses format. */
        readonly "responses-error": Record<string, never>;
        /** @description Free-form: what clients of the messages format send to this path. */
        readonly "messages-body": Record<string, never>;
        /** @description A refusal in the shape of the messages format. */
        readonly "messages-error": Record<string, never>;
        /** @description Free-form: what clients of the generative format send to this path. */
        readonly "generative-body": Record<string, never>;
        /** @description A refusal in the shape of the generative format. */
        readonly "generative-error": Record<string, never>;
        readonly Vendor: {
            /** @example 3 */
            readonly id: number;
            /** @example Anthropic */
            readonly name: string;
            readonly description: string;
            /** @description The name of an icon of the console, or an address of a picture. */
            readonly icon: string;
            /**
             * @description 1: on. 0 and 2: off.
             * @enum {number}
             */
            readonly status: 0 | 1 | 2;
            /** @description Unix seconds. */
            readonly created_time: number;
            /** @description Unix seconds. */
            readonly updated_time: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
