import { MusterError, refusal } from "./http.js";

/**
 * Uploads a picture, a JPEG, PNG or WebP of at most 8 MiB, with progress events, which `fetch` does not provide.
 * @param {string} base the server's address
 * @param {string} token
 * @param {Blob} picture
 * @param {object} [options]
 * @param {"avatar"} [options.use] its purpose: an avatar is cropped to a square
 * @param {AbortSignal} [options.signal] aborts the upload
 * @param {(part: number) => void} [options.onProgress] receives the uploaded fraction, from 0 to 1
 * @returns {Promise<{id: string, url: string, thumb: string, width: number, height: number}>} rejected with a
 *   `MusterError`, or with an `AbortError` when it was aborted
 */
export function uploadPhoto(base, token, picture, { use, signal, onProgress } = {}) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const giveUp = () => request.abort();
    const isDone = () => request.status === 201 && request.response !== null;
    const fail = () => reject(new MusterError({ code: "unreachable", message: "The server cannot be reached.", retry: true }));
    request.open("POST", new URL(use ? `/v1/photos?use=${use}` : "/v1/photos", base));
    request.responseType = "json";
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.setRequestHeader("Content-Type", picture.type);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => (isDone() ? resolve(request.response) : reject(refusal(request.status, request.response, request.getResponseHeader("Retry-After")))));
    request.addEventListener("error", fail);
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", giveUp));
    signal?.addEventListener("abort", giveUp);
    request.send(picture);
  });
}
