/** The four methods. Another one does not exist in the type and is refused before a byte leaves. */
export const methods = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'] as const;
export type Method = (typeof methods)[number];

export const isMethod = (value: string): value is Method => (methods as readonly string[]).includes(value);
