/* Sends confirmable requests to a server on loopback with libcoap and the settings that RTOscope wrote. */
#include <arpa/inet.h>
#include <coap3/coap.h>
#include <stdlib.h>

static int answered;

static coap_response_t on_response(coap_session_t *session, const coap_pdu_t *sent, const coap_pdu_t *received, const coap_mid_t mid)
{
    (void)session, (void)sent, (void)received, (void)mid;
    answered = 1;
    return COAP_RESPONSE_OK;
}

int main(int argc, char **argv)
{
    coap_address_t server;
    coap_context_t *context;
    coap_session_t *session;
    int n;

    if (argc != 3) {
        return 2;
    }
    coap_startup();
    coap_address_init(&server);
    server.size = sizeof(server.addr.sin);
    server.addr.sin.sin_family = AF_INET;
    server.addr.sin.sin_port = htons((uint16_t)atoi(argv[2]));
    server.addr.sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    context = coap_new_context(NULL);
    coap_register_response_handler(context, on_response);
    session = coap_new_client_session(context, NULL, &server, COAP_PROTO_UDP);
LINES
    for (n = 0; n < atoi(argv[1]); n++) {
        coap_pdu_t *request = coap_new_pdu(COAP_MESSAGE_CON, COAP_REQUEST_CODE_GET, session);
        uint8_t token[8];
        size_t length;

        coap_session_new_token(session, &length, token);
        coap_add_token(request, length, token);
        coap_add_option(request, COAP_OPTION_URI_PATH, 1, (const uint8_t *)"t");
        answered = 0;
        if (coap_send(session, request) == COAP_INVALID_MID) {
            return 1;
        }
        while (!answered) {
            coap_io_process(context, 1000);
        }
    }
    coap_session_release(session);
    coap_free_context(context);
    return 0;
}
