/** The form of an id of a target: it stands in file names, commands and titles without quotes. */
export const targetIdPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

export const caseNamePattern = /^[a-z0-9-]{1,64}$/;

/** A fingerprint, and a digest of before and after. */
export const fingerprintPattern = /^[0-9a-f]{16}$/;
